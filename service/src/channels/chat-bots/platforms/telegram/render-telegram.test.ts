import { expect, test } from 'vitest'
import { HOSTILE_SHAPES } from '../../../../../test/hostile-shapes.ts'
import { faultOfMessage, mentionsIn } from '../../../../../test/platforms/telegram-message-rules.ts'
import { renderForTelegram } from './render-telegram.ts'

const CITATION = {
  index: 1,
  title: 'Rotating *signing* <keys> @ada_l',
  url: 'https://docs.example.com/keys',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11',
  heading_path: [],
  excerpt: '',
}

const render = (markdown: string, citations = [CITATION]) =>
  renderForTelegram(
    { markdown, citations, messageId: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c12', offersPerson: true },
    { chat_id: '-1001', chat: 'group', message_id: '7', thread: '12' },
  ).map(({ message: { text, entities, reply_markup }, as_new }) => ({
    text,
    entities: [...entities],
    reply_markup,
    as_new,
    shown: entities.map(({ type, offset, length, url, language }) =>
      [type, text.slice(offset, offset + length), url ?? language].filter((part) => part !== undefined),
    ),
  }))

test('Markdown becomes text with entities: styles, lists with their numbers, code, quotes, tables, links', () => {
  const [message] = render(
    [
      '# Keys `of` ours',
      'Keys 🔑 are **rotated** _daily_ with `rotate()` ~~weekly~~ [1].',
      '3. three\n4. four\n   - below',
      '```sh\nrotate --all # [1] @ada_l\n```',
      '> quoted [1]\n>\n> > twice\n>\n> `code`',
      '| a | long name |\n|---|---|\n| 1 | 2 |',
      '![map](https://docs.example.com/map.png) [bad](javascript:alert(1)) [user](tg://user?id=1) @ada_l a@b.example \\[1]',
    ].join('\n\n'),
  )
  expect(message?.text).toBe(
    [
      'Keys of ours',
      'Keys 🔑 are rotated daily with rotate() weekly [1].',
      '3. three\n4. four\n   • below',
      'rotate --all # [1] @ada_l',
      'quoted [1]',
      'twice',
      'code',
      'a  long name\n1  2',
      'map bad user @\u200Bada_l a@b.example [1]',
      'Sources\n1. Rotating *signing* <keys> @\u200Bada_l',
    ].join('\n\n'),
  )
  expect(message?.shown).toEqual([
    ['bold', 'Keys '],
    ['bold', ' ours'],
    ['code', 'of'],
    ['bold', 'rotated'],
    ['italic', 'daily'],
    ['code', 'rotate()'],
    ['strikethrough', 'weekly'],
    ['text_link', '[1]', CITATION.url],
    ['pre', 'rotate --all # [1] @ada_l', 'sh'],
    ['blockquote', 'quoted [1]'],
    ['text_link', '[1]', CITATION.url],
    ['blockquote', 'twice'],
    ['code', 'code'],
    ['pre', 'a  long name\n1  2'],
    ['text_link', 'map', 'https://docs.example.com/map.png'],
    ['bold', 'Sources'],
    ['text_link', 'Rotating *signing* <keys> @\u200Bada_l', CITATION.url],
  ])
  expect(mentionsIn(message?.text ?? '', message?.entities)).toEqual([])
  expect(message?.reply_markup?.inline_keyboard.flat().map(({ callback_data: data }) => data)).toEqual([
    'up:0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c12',
    'down:0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c12',
    'person',
  ])
  expect(message?.as_new).toEqual({
    message_thread_id: 12,
    disable_notification: true,
    reply_parameters: { message_id: 7, allow_sending_without_reply: true },
  })
})

test('a long answer is several messages, split between blocks and never in code that fits; the buttons are under the last, the first replies', () => {
  const code = (size: number) => `\`\`\`js\n${'x = 1\n'.repeat(size / 6)}\`\`\``
  const words = 'Words of a paragraph. '.repeat(90)
  const messages = render([words, code(2_400), words, code(6_000)].join('\n\n'))
  expect(messages.length).toBeGreaterThan(3)
  for (const [at, { text, shown, entities, as_new, reply_markup }] of messages.entries()) {
    expect(faultOfMessage({ text, entities, reply_markup })).toBeUndefined()
    expect(as_new.reply_parameters !== undefined).toBe(at === 0)
    expect(reply_markup !== undefined).toBe(at === messages.length - 1)
    for (const [type, within, language] of shown) {
      if (type !== 'pre') continue
      expect(language).toBe('js')
      expect(within?.split('\n').every((line) => line === 'x = 1')).toBe(true)
    }
  }
  const blocks = messages.flatMap(({ shown }) => shown.filter(([type]) => type === 'pre'))
  expect(blocks.map(([, within]) => within?.length)).toContain(2_399)
  const endless = render('One more paragraph.\n\n'.repeat(4_000))
  expect(endless).toHaveLength(5)
  expect(endless.at(-1)?.text).toBe('… The answer is longer than a chat can show.')
  const links = render(Array.from({ length: 150 }, (_, at) => `\`${at}\``).join(' '), [])
  expect(links.map(({ entities }) => entities.length)).toEqual([100, 50])
})

test('nothing that a page may contain makes a message that Telegram does not take', () => {
  expect(render('', [])).toMatchObject([{ text: '…' }])
  expect(render(' \u00A0 ', [])).toMatchObject([{ text: '…' }])
  for (const [name, shape] of Object.entries(HOSTILE_SHAPES))
    for (const { text, entities, reply_markup } of render(shape(20_000)))
      expect([name, faultOfMessage({ text, entities, reply_markup })]).toEqual([name, undefined])
})

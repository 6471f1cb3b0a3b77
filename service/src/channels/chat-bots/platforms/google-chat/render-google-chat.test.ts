import { expect, test } from 'vitest'
import { HOSTILE_SHAPES } from '../../../../../test/hostile-shapes.ts'
import { renderForGoogleChat } from './render-google-chat.ts'

const CITATION = {
  index: 1,
  title: 'Rotating *signing* <users/all>',
  url: 'https://docs.example.com/keys_(new)',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11',
  heading_path: [],
  excerpt: '',
}
const PLACE = { space: 'spaces/A', thread: 'spaces/A/threads/t', asked: 'spaces/A/messages/q' }

const render = (markdown: string, citations = [CITATION]) =>
  renderForGoogleChat({ markdown, citations, messageId: 'm', offersPerson: true }, PLACE)

test('Markdown stays Markdown: names and tags in it are text, tables are aligned, sources are links', () => {
  const [post, ...more] = render(
    [
      '# Keys <users/all>',
      'Keys are **rotated** _daily_ with `rotate <users/1>` [1] a \\* b * c.',
      '| a | long name |\n|---|---|\n| 1 | 2 |',
      '```sh\nrotate --all\n```',
      '<b>raw</b> [bad](javascript:alert(1)) [good](https://docs.example.com/x)',
    ].join('\n\n'),
  )
  expect(more).toEqual([])
  expect(post?.message.text).toBe(
    [
      '**Keys \\<\u200Busers/all\\>**',
      'Keys are **rotated** *daily* with `rotate <\u200Busers/1>` ([1](https://docs.example.com/keys_%28new%29)) a \\* b \\* c.',
      '```\na  long name\n1  2\n```',
      '```sh\nrotate --all\n```',
      '\\<\u200Bb\\>raw\\<\u200B/b\\> bad [good](https://docs.example.com/x)',
      '**Sources**\n1\\. [Rotating \\*signing\\* \\<\u200Busers/all\\>](https://docs.example.com/keys_%28new%29)',
    ].join('\n\n'),
  )
  expect(post).toMatchObject({ space: 'spaces/A', thread: 'spaces/A/threads/t' })
})

test('a long answer is several messages; the same answer to the same question has the same ids, and no other has', () => {
  const long = `${'A paragraph of words. '.repeat(100)}\n\n`.repeat(4)
  const ids = (given: string) => render(given).map(({ request_id: id }) => id)
  expect(new Set(ids(long)).size).toBe(render(long).length)
  expect(ids(long)).toEqual(ids(long))
  expect(ids('one')).not.toEqual(ids('two'))
  const elsewhere = renderForGoogleChat(
    { markdown: 'one', citations: [CITATION], messageId: 'm' },
    { ...PLACE, asked: 'spaces/A/messages/other' },
  )
  expect(elsewhere[0]?.request_id).not.toEqual(ids('one')[0])
  for (const [at, { message }] of render(long).entries()) {
    expect(message.text.length).toBeLessThanOrEqual(4_000)
    expect(message.accessoryWidgets.length).toBe(at === render(long).length - 1 ? 1 : 0)
  }
  expect(render('One more paragraph.\n\n'.repeat(4_000))).toHaveLength(5)
})

test('nothing that a page may contain becomes a mention, an empty message or one that is too long', () => {
  expect(render('', [])).toMatchObject([{ message: { text: '…' } }])
  for (const [name, shape] of Object.entries(HOSTILE_SHAPES))
    for (const { message } of render(`${shape(8_000)} <users/all>`)) {
      expect([name, message.text.includes('<users/')]).toEqual([name, false])
      expect([
        name,
        message.text.trim() !== '' && Buffer.byteLength(JSON.stringify(message)) < 32_000,
      ]).toEqual([name, true])
    }
})

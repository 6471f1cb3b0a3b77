import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import {
  faultInMessage,
  textOfMessage,
  type SlackMessage,
} from '../../../../../test/platforms/slack-message-rules.ts'
import { HOSTILE_SHAPES } from '../../../../../test/hostile-shapes.ts'
import { renderForSlack } from './render-slack.ts'

const CITATION = {
  index: 1,
  title: 'Rotating *signing* <keys>',
  url: 'https://docs.example.com/keys',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11',
  heading_path: [],
  excerpt: '',
}

const render = (markdown: string, citations = [CITATION]) =>
  renderForSlack(
    { markdown, citations, messageId: 'm' },
    { channel: 'C1', thread_ts: '1.1' },
  ) as SlackMessage[]

const partsOf = (message: SlackMessage | undefined) =>
  (message?.blocks ?? []).flatMap((block) => (block.type === 'rich_text' ? block.elements : []))

test('Markdown becomes rich text: styles, lists with their numbers, code, quotes, tables, links', () => {
  const [message] = render(
    [
      '# Keys',
      'Keys are **rotated** _daily_ with `rotate()` ~~weekly~~ [1].',
      '3. three\n4. four\n   - below',
      '```sh\nrotate --all # [1]\n```',
      '> quoted [1]',
      '| a | long name |\n|---|---|\n| 1 | 2 |',
      '![map](https://docs.example.com/map.png) [bad](javascript:alert(1)) [good](https://docs.example.com/x)',
    ].join('\n\n'),
  )
  const link = { type: 'link', url: CITATION.url, text: '[1]' }
  expect(partsOf(message)).toMatchObject([
    { type: 'rich_text_section', elements: [{ text: 'Keys', style: { bold: true } }, { text: '\n' }] },
    {
      elements: [
        { text: 'Keys are ' },
        { text: 'rotated', style: { bold: true } },
        {},
        { text: 'daily', style: { italic: true } },
        {},
        { text: 'rotate()', style: { code: true } },
        {},
        { text: 'weekly', style: { strike: true } },
        {},
        link,
        { text: '.' },
        {},
      ],
    },
    { type: 'rich_text_list', style: 'ordered', offset: 2, indent: 0, elements: [{}, {}] },
    { type: 'rich_text_list', style: 'bullet', indent: 1 },
    { type: 'rich_text_preformatted', elements: [{ text: 'rotate --all # [1]' }] },
    { type: 'rich_text_quote', elements: [{ text: 'quoted ' }, link] },
    { type: 'rich_text_preformatted', elements: [{ text: 'a  long name\n1  2' }] },
    {
      elements: [
        { type: 'link', text: 'map' },
        {},
        { type: 'text', text: 'bad' },
        {},
        { type: 'link', url: 'https://docs.example.com/x' },
        {},
      ],
    },
    {
      elements: [
        { text: 'Sources' },
        { text: '\n[1] ' },
        { type: 'link', text: 'Rotating *signing* <keys>', url: CITATION.url },
      ],
    },
  ])
})

verifies(
  'bots.slack.mentions',
  'no text of an answer is a mention, markup or an escape from its place',
  () => {
    const hostile =
      '<!channel> <!here> @channel @everyone <@U123> <https://evil.example|safe> :tada: &lt;!channel&gt; \\[1]'
    const [message] = render(hostile, [
      { ...CITATION, title: '<!channel> @here', url: 'javascript:alert(1)' },
    ])
    expect(message && faultInMessage(message)).toBeUndefined()
    expect(message?.text).not.toMatch(/<(?!\/)/)
    expect(JSON.stringify(message?.blocks)).not.toMatch(/"type":"(broadcast|user|usergroup|channel|emoji)"/)
    expect(JSON.stringify(message?.blocks)).not.toContain('javascript:')
    // An escaped marker is text of a page.
    expect(partsOf(message)[0]?.elements).not.toContainEqual(
      expect.objectContaining({ text: '[1]', type: 'link' }),
    )
  },
)

test('a long answer is split between paragraphs, code stays code, and all of it is there', () => {
  const code = Array.from({ length: 150 }, (_, at) => `const line${at} = "value of line ${at}"`).join('\n')
  const paragraphs = Array.from({ length: 36 }, (_, at) => `Paragraph ${at}. ${'word '.repeat(60)}`)
  const messages = render(
    [...paragraphs.slice(0, 18), `\`\`\`ts\n${code}\n\`\`\``, ...paragraphs.slice(18)].join('\n\n'),
  )
  expect(messages.length).toBeGreaterThan(1)
  for (const message of messages) expect(faultInMessage(message)).toBeUndefined()
  const preformatted = messages.flatMap(partsOf).filter(({ type }) => type === 'rich_text_preformatted')
  const text = (elements: readonly unknown[]) =>
    (elements as { text: string }[]).map((one) => one.text).join('')
  expect(preformatted.map(({ elements }) => text(elements)).join('')).toBe(code)
  for (const { elements } of preformatted) expect(text(elements)).toMatch(/^const line/)
  const all = messages.map(textOfMessage).join('\n')
  for (const at of paragraphs.keys()) expect(all).toContain(`Paragraph ${at}. `)
  expect(messages.filter(({ blocks }) => blocks.at(-1)?.type === 'context_actions')).toEqual([
    messages.at(-1),
  ])
})

test('anything that a model writes gives messages that Slack takes', () => {
  const texts = [
    '',
    ' ',
    '\n\n',
    '-',
    '1.',
    '>',
    '```\n```',
    '***',
    'x'.repeat(100_000),
    '😀'.repeat(20_000),
    `[${'a'.repeat(5_000)}](https://e.example/${'b'.repeat(5_000)})`,
    `[a](https://e.example/${'b'.repeat(1_900)}) `.repeat(50),
    '| a |\n|---|\n'.concat('| cell |\n'.repeat(3_000)),
    ...Object.values(HOSTILE_SHAPES).map((shape) => shape(8_000)),
  ]
  for (const text of texts) {
    const messages = render(text)
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.length).toBeLessThanOrEqual(5)
    for (const message of messages)
      expect([text.slice(0, 30), faultInMessage(message)]).toEqual([text.slice(0, 30), undefined])
  }
})

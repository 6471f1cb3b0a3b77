import { expect, test } from 'vitest'
import { HOSTILE_SHAPES } from '../../../../../test/hostile-shapes.ts'
import { renderForDiscord } from './render-discord.ts'

const CITATION = {
  index: 1,
  title: 'Keys [and](x) @everyone',
  url: 'https://docs.example.com/keys',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11',
  heading_path: [],
  excerpt: '',
}

const render = (markdown: string, citations = [CITATION]) =>
  renderForDiscord({ markdown, citations, messageId: undefined }, { application_id: '1', token: 't' }).map(
    ({ payload }) => (payload['embeds'] as [{ description: string }])[0].description,
  )

test('Markdown becomes that of Discord: what is text stays text', () => {
  const markdown = [
    '# Keys @everyone',
    'Keys are **rotated** _daily_ with `rotate()` [1] if a &lt; b. See [here](https://docs.example.com/x) and [bad](javascript:alert(1)).',
    '- one\n- two\n  1. inner',
    '```sh\nrotate # [1] ``` <@1>\n```',
    '> quoted',
    '| a | long name |\n|---|---|\n| 1 | 2 |',
    String.raw`<@123> @here #general \[1\] ||spoiler|| 1\. no list`,
  ].join('\n\n')
  expect(render(markdown)).toEqual([
    [
      String.raw`**Keys \@everyone**`,
      'Keys are **rotated** *daily* with `rotate()` ([1](https://docs.example.com/keys)) if a \\< b. See [here](https://docs.example.com/x) and bad.',
      '- one\n- two\n  1. inner',
      '```sh\nrotate # [1] `\u200B`` <@1>\n```',
      '> quoted',
      '```\na  long name\n1  2\n```',
      String.raw`\<\@123\> \@here \#general \[1\] \|\|spoiler\|\| 1. no list`,
      '**Sources**\n1\\. [Keys \\[and\\]\\(x\\) \\@everyone](https://docs.example.com/keys)',
    ].join('\n\n'),
  ])
})

test('long code stays code over several messages, and everything fits', () => {
  const code = Array.from({ length: 300 }, (_, at) => `const line${at} = "value of line ${at}"`).join('\n')
  const messages = render(`Before\n\n\`\`\`ts\n${code}\n\`\`\`\n\nAfter`)
  expect(messages.length).toBeGreaterThan(2)
  for (const message of messages) expect((message.match(/```/g) ?? []).length % 2).toBe(0)
  const inside = messages.flatMap((message) =>
    [...message.matchAll(/```ts\n([\s\S]*?)\n```/g)].map((match) => match[1]),
  )
  expect(inside.join('\n')).toBe(code)
  const texts = [
    '',
    '\n',
    'x'.repeat(50_000),
    '😀'.repeat(9_000),
    ...Object.values(HOSTILE_SHAPES).map((shape) => shape(8_000)),
  ]
  for (const text of texts) {
    const shown = render(text)
    expect(shown.length).toBeLessThanOrEqual(5)
    for (const message of shown) {
      expect(message.length).toBeGreaterThan(0)
      expect(message.length).toBeLessThanOrEqual(4_096)
    }
  }
})

test('code in a list or a quote that is cut between messages ends in the one, and begins again in the next', () => {
  const code = Array.from({ length: 220 }, (_, at) => `const line${at} = "value"`)
  const listed = render(
    `- Before\n\n  \`\`\`ts\n${code.map((line) => `  ${line}`).join('\n')}\n  \`\`\`\n- After`,
  )
  const quoted = render(`> \`\`\`ts\n${code.map((line) => `> ${line}`).join('\n')}\n> \`\`\``)
  for (const [messages, fence] of [
    [listed, '```'],
    [quoted, '> ```'],
  ] as const) {
    expect(messages.length).toBeGreaterThan(1)
    for (const message of messages) {
      const fences = message.split('\n').filter((line) => line.startsWith(fence))
      expect(fences).toEqual([`${fence}ts`, fence])
      expect(message.length).toBeLessThanOrEqual(4_096)
    }
    const shown = messages
      .join('\n')
      .split('\n')
      .map((line) => line.replace('> ', ''))
    expect(shown.filter((line) => line.startsWith('const'))).toEqual(code)
  }
})

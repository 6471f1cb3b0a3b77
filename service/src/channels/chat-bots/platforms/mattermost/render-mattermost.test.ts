import type { Nodes } from 'mdast'
import { expect, test } from 'vitest'
import { isParent, parseMarkdown } from '../../../../platform/markdown/markdown-tree.ts'
import { renderForMattermost } from './render-mattermost.ts'

const PLACE = { channel_id: 'c', root_id: 'r' }
const shown = (markdown: string) =>
  renderForMattermost({ markdown, citations: [], messageId: undefined }, PLACE).map(
    ({ post }) => post.message,
  )

test('text of pages notifies nobody and is no markup', () => {
  expect(shown('Ask @channel or @here, not me@example.com')).toEqual([
    'Ask @\u200Bchannel or @\u200Bhere, not me@example.com',
  ])
  expect(shown('\\# a\\_b \\*c\\* ~town #tag &lt;b&gt; ![x](https://evil.example/p.png)')).toEqual([
    '\\# a\\_b \\*c\\* \\~town \\#tag \\<b\\> [x](https://evil.example/p.png)',
  ])
  expect(shown('[x](javascript:alert(1))')).toEqual(['x'])
  expect(shown('`@all in code`')).toEqual(['`@all in code`'])
})

test('tables stay tables, and their cells cannot end them', () => {
  expect(shown('| A | B |\n|---|---|\n| a\\|b | @all |')).toEqual([
    '| A | B |\n| --- | --- |\n| a\\|b | @\u200Ball |',
  ])
})

test('code stays code over several messages, and five are the most', () => {
  const code = Array.from({ length: 900 }, (_, at) => `line ${at} of the code`).join('\n')
  const messages = shown(`\`\`\`sh\n${code}\n\`\`\``)
  expect(messages.length).toBeGreaterThan(1)
  for (const each of messages) expect(each).toMatch(/^```sh\n[\s\S]+\n```$/)
  const long = shown(Array.from({ length: 7 }, () => 'word '.repeat(2_200)).join('\n\n'))
  expect(long).toHaveLength(5)
  expect(long.at(-1)).toContain('longer than a chat can show')
  for (const each of [...messages, ...long]) expect(each.length).toBeLessThan(16_383)
})

test('code, tables and quotes with which an item of a list begins stay themselves: nothing in them notifies anybody', () => {
  const markdown = [
    '1. ```sh\n   npm i @here/maps\n   ```',
    '2. Then:\n   - ```\n     @all\n     ```',
    '3. > ```\n   > @channel\n   > ```',
    '4. | a |\n   |---|\n   | 1 |',
    '5. End',
  ].join('\n')
  const blocks = parseMarkdown(shown(markdown).join('\n\n')).children
  const codeOf = (nodes: readonly Nodes[]): string[] =>
    nodes.flatMap((node) =>
      node.type === 'code' ? [node.value] : isParent(node) ? codeOf(node.children) : [],
    )
  expect(codeOf(blocks)).toEqual(['npm i @here/maps', '@all', '@channel'])
  expect(blocks.map(({ type }) => type)).toContain('table')
  expect(blocks.at(-1)?.type).toBe('list')
})

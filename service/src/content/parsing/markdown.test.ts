import { expect, test } from 'vitest'
import { parseMarkdown } from './markdown.ts'
import { renderBlocks } from './render-markdown.ts'
import { processorTime } from '../../../test/time-limit.ts'

function read(markdown: string, name = 'guide/install.md') {
  const bytes = new TextEncoder().encode(markdown)
  const mediaType = name.endsWith('.mdx') ? 'text/mdx' : 'text/markdown'
  return parseMarkdown({ mediaType, bytes, url: `https://docs.example.com/${name}` }).document
}

const rendered = (markdown: string, name?: string) => renderBlocks(read(markdown, name).blocks)

test('the title is that of the front matter, else the first heading, else the file name', () => {
  expect(read('---\ntitle: "Set *up*"\nlang: de\n---\n# Other\n')).toMatchObject({
    title: 'Set *up*',
    language: 'de',
  })
  expect(read('# The `vite` command\n\nText.').title).toBe('The vite command')
  expect(read('Text.').title).toBe('install')
  expect(read('---\ntitle: [broken\n---\n# Title\n').title).toBe('Title')
})

test('headings have the anchors that GitHub gives them, or an explicit id', () => {
  const { blocks } = read('# T\n## Set up\n## Set up\n## With `code` & more {#own}\n### Über uns\n')
  const anchors = blocks.flatMap((block) => (block.kind === 'heading' ? [[block.text, block.anchor]] : []))
  expect(anchors).toEqual([
    ['Set up', 'set-up'],
    ['Set up', 'set-up-1'],
    ['With `code` & more', 'own'],
    ['Über uns', 'über-uns'],
  ])
})

test('containers, admonitions and alerts of all generators become a bold line and their text', () => {
  for (const markdown of [
    '::: warning\nMind this.\n:::',
    ':::warning\n\nMind this.\n\n:::',
    '!!! warning\n    Mind this.\n',
    '> [!WARNING]\n> Mind this.',
  ]) {
    expect(rendered(`Before.\n\n${markdown}\n\nAfter.`).replaceAll('> ', '')).toBe(
      'Before.\n\n**Warning**\n\nMind this.\n\nAfter.',
    )
  }
  expect(rendered('::: details Click `me`\nText\n:::')).toBe('**Click `me`**\n\nText')
  expect(rendered(':::note[Read this]\nText\n:::')).toBe('**Read this**\n\nText')
})

test('the contents of a container keep their place in a list, and code that looks like a container stays code', () => {
  expect(rendered('- a\n\n  ::: tip\n  b\n  :::\n\n- c')).toBe('- a\n\n  **Tip**\n\n  b\n- c')
  expect(rendered('```md\n::: tip\n[[toc]]\n:::\n```')).toBe('```md\n::: tip\n[[toc]]\n:::\n```')
})

test('code groups and content tabs keep every panel under its label', () => {
  const group = '::: code-group\n\n```sh [npm]\nnpm i\n```\n\n```sh{1} [Yarn]\nyarn add\n```\n\n:::'
  expect(rendered(group)).toBe('**npm**\n\n```sh\nnpm i\n```\n\n**Yarn**\n\n```sh\nyarn add\n```')
  expect(rendered('=== "npm"\n\n    ```sh\n    npm i\n    ```\n\n=== "Yarn"\n\n    text')).toBe(
    '**npm**\n\n```sh\nnpm i\n```\n\n**Yarn**\n\ntext',
  )
})

test('tables of contents, scripts, comments and file includes are left out', () => {
  expect(
    rendered(
      '[[toc]]\n\n<script setup>\nimport x from "x"\n\nconst a = 1\n</script>\n\n<!-- no -->\n\n<<< ./file.ts#region\n\nText.',
    ),
  ).toBe('Text.')
})

test('HTML and components within Markdown are read as their contents', () => {
  expect(rendered('A <Badge type="tip" text="new" /> thing.\n\n<Box/>\n\nAfter.')).toBe(
    'A new thing.\n\nAfter.',
  )
  expect(rendered('<details>\n<summary>More</summary>\n\n**Text**\n\n</details>')).toBe(
    '**More**\n\n**Text**',
  )
  expect(rendered('<Page>\n<template #lead>Hello</template>\n</Page>')).toBe('Hello')
})

test('MDX keeps the text of its components and drops its code', () => {
  const mdx = `import Tabs from 'x'\n\n# Title\n\n{/* no */}\n\n<Tabs>\n  <TabItem value="a" label="npm">\n\n  Text {'here'}.\n\n  </TabItem>\n</Tabs>\n\n<Note>Mind.</Note>\n\n## Sub {#own}\n`
  expect(rendered(mdx, 'a.mdx')).toBe('**npm**\n\nText here.\n\n**Note**\n\nMind.\n\n## Sub')
  expect(read(mdx, 'a.mdx').blocks.at(-1)).toMatchObject({ anchor: 'own' })
})

test('invalid MDX is read as Markdown', () => {
  expect(rendered('import x from "y"\n\n# T\n\nA {broken and <unclosed text.\n', 'a.mdx')).toBe(
    String.raw`A {broken and \<unclosed text.`,
  )
})

test('a page of front matter only gets its text from there', () => {
  const page =
    '---\nlayout: home\nhero:\n  name: Hono\n  text: A framework\nfeatures:\n  - title: Fast\n    details: Very.\n---\n'
  expect(rendered(page)).toBe('Hono\n\nA framework\n\n**Fast**\n\nVery.')
})

test('tables, task lists, footnotes and relative links are read', () => {
  expect(
    rendered(
      '| a | b |\n|---|---|\n| `x\\|y` | 2 |\n\n- [x] done\n- [ ] open\n\n[next](./next.md#a) note[^1]\n\n[^1]: The note.',
    ),
  ).toBe(
    '| a | b |\n| --- | --- |\n| `x\\|y` | 2 |\n\n- [x] done\n- [ ] open\n\n[next](https://docs.example.com/guide/next.md#a) note\n\n1. The note.',
  )
})

test('nested bullets are read in linear time', async () => {
  const spent = await processorTime(() => {
    expect(rendered(`${'*   '.repeat(15)}Fifteen deep.`)).toContain('Fifteen deep.')
  })
  expect(spent).toBeLessThan(4_000)
})

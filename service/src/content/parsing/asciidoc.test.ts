import { expect, test, vi } from 'vitest'
import { parseAsciidoc } from './asciidoc.ts'
import { renderBlocks } from './render-markdown.ts'

async function read(asciidoc: string) {
  const bytes = new TextEncoder().encode(asciidoc)
  const url = 'https://github.com/acme/docs/blob/main/guide/install.adoc'
  return (await parseAsciidoc({ mediaType: 'text/asciidoc', bytes, url })).document
}

const rendered = async (asciidoc: string) => renderBlocks((await read(asciidoc)).blocks)

test('the title is that of the document, and sections have the anchors that GitHub gives them', async () => {
  const document = await read(
    '= Guide\nAnn Author <ann@example.com>\nv2, 2026-01-01\n:toc:\n:sectnums:\n\nFirst words.\n\n== Set up & run\n\nText.\n\n[#own]\n=== Deeper\n\nx\n\nBack\n----\n\ny',
  )
  expect(document.title).toBe('Guide')
  expect(document.blocks.filter((block) => block.kind === 'heading')).toEqual([
    { kind: 'heading', depth: 2, text: 'Set up & run', anchor: 'set-up-run' },
    { kind: 'heading', depth: 3, text: 'Deeper', anchor: 'own' },
    { kind: 'heading', depth: 2, text: 'Back', anchor: 'back' },
  ])
  expect(renderBlocks(document.blocks)).not.toMatch(/Ann|Table of Contents/)
})

test('a document that names its sections in its own way keeps their anchors', async () => {
  const { blocks } = await read(':idprefix: _\n:idseparator: _\n\n= Guide\n\n== Set up\n\nText.')
  expect(blocks[0]).toMatchObject({ anchor: '_set_up' })
})

test('inline markup, attributes, keys and links are read, and a link to a file leads to that file', async () => {
  expect(
    await rendered(
      ':product: Acme\n\n_em_ *strong* `a *b` {product} {unknown} kbd:[Ctrl+C] menu:File[Save] xref:other.adoc#sec[the other] <<own,below>> https://e.example/[Docs]\n\n[#own]\n== Own\n\nx',
    ),
  ).toBe(
    '*em* **strong** `a *b` Acme {unknown} `Ctrl`+`C` **File** **›** **Save** [the other](https://github.com/acme/docs/blob/main/guide/other.adoc#sec) [below](https://github.com/acme/docs/blob/main/guide/install.adoc#own) [Docs](https://e.example/)\n\n## Own\n\nx',
  )
})

test('code keeps its lines and language, with the title above it', async () => {
  expect(await rendered('.a.js\n[source,js]\n----\nlet a\n  let b // <1>\n----\n<1> The second.')).toBe(
    'a.js\n\n```js\nlet a\n  let b // (1)\n```\n\n1. The second.',
  )
})

test('lists, terms, tables and notes are read', async () => {
  expect(await rendered('* a\n** b\n* c\n\n//-\n\n. one\n. two\n+\nmore')).toBe(
    '- a\n  - b\n- c\n\n1. one\n2. two\n\n   more',
  )
  expect(await rendered('-n::\n--number=<n>::\n  Shows that many.')).toBe(
    '**-n, --number=\\<n>**\n\nShows that many.',
  )
  expect(await rendered('|===\n|A |B\n\n|1 |x `y`\n|===')).toBe('| A | B |\n| --- | --- |\n| 1 | x `y` |')
  expect(await rendered('TIP: Mind this.')).toBe('**Tip**\n\nMind this.')
})

test('a page of a manual is named as readers know it', async () => {
  expect(await rendered('See linkgit:git-log[1], man:ls[1p] and https://a.example[1].')).toBe(
    'See git-log(1), ls(1p) and [1](https://a.example/).',
  )
})

test('nothing of another file is read, and what it includes is not seen', async () => {
  const text = await rendered(
    ':data-uri:\n:allow-uri-read:\n\nBefore.\n\ninclude::/etc/hostname[]\n\ninclude::https://example.com/x.adoc[]\n\nimage::/etc/passwd[Plan]\n\n----\ninclude::/etc/passwd[lines=1..2]\n----\n\nAfter. \\{docdir} {docdir} {user-home}',
  )
  expect(text).toMatch(/^Before\./)
  expect(text).toContain('After.')
  expect(text).not.toMatch(/root:|hostname|include::|example\.com|\/root|data:/)
})

test('nothing is written to the console, and the console is as it was', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const mocked = console.warn
  expect(
    await rendered('== A\n\nWait--or not{litdd}now...\n\n--\nnever closed\n\n[source]\n====\n\n|===\n|a'),
  ).toContain('Wait—or not--now…\n')
  expect(console.warn).toBe(mocked)
  expect([error.mock.calls, warn.mock.calls]).toEqual([[], []])
  vi.restoreAllMocks()
})

test('an attribute that repeats others does not grow without end', async () => {
  const bomb = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const lines = bomb.map((name, at) => `:${name}: ${(at === 0 ? 'lol ' : `{${bomb[at - 1]}}`).repeat(30)}`)
  const { blocks } = await read(`${lines.join('\n')}\n\n{h}`)
  expect(renderBlocks(blocks).length).toBeLessThan(10_000)
})

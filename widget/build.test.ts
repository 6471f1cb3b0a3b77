import { mkdtempSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildWidget, type BuiltWidget } from './build.ts'
import * as markdown from './src/markdown/markdown.ts'

const outDir = mkdtempSync(join(tmpdir(), 'citewell-widget-'))
let built: BuiltWidget

beforeAll(async () => {
  built = await buildWidget({ outDir })
})

const sizeOf = (pattern: RegExp) => built.files.filter(({ file }) => pattern.test(file)).map(({ gz }) => gz)

test('no file is larger than pages were promised, in bytes with gzip', () => {
  expect(sizeOf(/^widget\.js$/)[0]).toBeLessThanOrEqual(4 * 1_024)
  // What a reader waits for when they press; what comes behind it; and the renderer, which the form has as well.
  expect(sizeOf(/^panel-/)[0]).toBeLessThanOrEqual(26 * 1_024)
  expect(sizeOf(/^(?:panel|answers)-/).reduce((sum, gz) => sum + gz)).toBeLessThanOrEqual(38 * 1_024)
  expect(sizeOf(/^(?:panel|answers|markdown)-/).reduce((sum, gz) => sum + gz)).toBeLessThanOrEqual(
    49.25 * 1_024,
  )
  expect(sizeOf(/^code-colours-/)[0]).toBeLessThanOrEqual(2.5 * 1_024)
  expect(sizeOf(/^provider-check-/)[0]).toBeLessThanOrEqual(2 * 1_024)
  expect(sizeOf(/^form\.js$/)[0]).toBeLessThanOrEqual(12 * 1_024)
  expect(Math.max(...sizeOf(/^language-/))).toBeLessThanOrEqual(1.2 * 1_024)
  expect(sizeOf(/^language-/)).toHaveLength(11)
  expect(sizeOf(/^captcha-/)[0]).toBeLessThanOrEqual(3.5 * 1_024)
  expect(sizeOf(/^selection-/)[0]).toBeLessThanOrEqual(1_024)
})

test('the same sources make the same files under the same version', async () => {
  const again = await buildWidget({ outDir: mkdtempSync(join(tmpdir(), 'citewell-widget-')) })
  expect(again).toEqual(built)
  expect(built.version).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{12}$/)
})

test('what is left of the parser reads every kind of Markdown as the whole of it does', async () => {
  const { file = '' } = built.files.find((one) => one.file.startsWith('markdown-')) ?? {}
  const left = (await import(join(outDir, file))) as typeof markdown
  const text = `# Title

Second
------

**strong** _em_ *em* ~~del~~ \`code\` \`\`a \` b\`\` <b>html</b> [link](https://a.example "t") ![i](https://b.example) https://c.example
www.d.example a@e.example <https://f.example> [defined] [defined][1] [1] &amp; \\* \\[no\\] two  
lines\\
three

- [ ] open
- [x] done

1. one
   - deeper

     a paragraph of it
2. two

> quoted
lazy
> > twice

| a | b |
|:-:|-:|
| 1 | \`x|y\` |

    indented

~~~js
fenced
~~~

<div>
block
</div>

<!-- a
comment -->

***

[defined]: https://g.example 'title'
`
  expect(left.parseBlocks(text)).toEqual(markdown.parseBlocks(text))
  expect(new Set(left.parseBlocks(text).map(({ type }) => type))).toEqual(new Set(['token', 'code']))
})

test('no bundle has zod, React, or code made of text', async () => {
  for (const { file } of built.files) {
    const text = await readFile(join(outDir, file), 'utf8')
    expect([file, /ZodError|zod\/v4|react-dom|\beval\(|new Function\(/.exec(text)?.[0]]).toEqual([
      file,
      undefined,
    ])
  }
})

test('no source writes HTML: what others wrote becomes elements and texts only', async () => {
  const sources = (await readdir(join(import.meta.dirname, 'src'), { recursive: true })).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  expect(sources.length).toBeGreaterThan(30)
  for (const file of sources) {
    const text = await readFile(join(import.meta.dirname, 'src', file), 'utf8')
    const sink =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|createContextualFragment|DOMParser|setHTML|srcdoc/
    expect([file, sink.exec(text)?.[0]]).toEqual([file, undefined])
  }
})

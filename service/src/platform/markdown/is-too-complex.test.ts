import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { HOSTILE_SHAPES, MARKDOWN_SHAPES } from '../../../test/hostile-shapes.ts'
import { isTooComplex } from './is-too-complex.ts'
import { isParent, parseMarkdown, spanOf } from './markdown-tree.ts'
import { plainBlocksIn, plainTextOf } from './plain-blocks.ts'

const ORDINARY = `# Keys

Signing keys **rotate** daily, see [the guide](https://docs.example.com/keys) and \`keys.rotate()\`.

> A quote, _with_ emphasis.
> - and a list
>   - in it

${Array.from({ length: 40 }, (_, at) => `| \`option-${at}\` | **yes** | [more](https://docs.example.com/${at}) |`).join('\n')}

1. one
2. two

\`\`\`ts
const first = list[0]?.of[1] ?? [[1, 2], [3, 4]]
\`\`\`
`

function depthOf(node: Nodes): number {
  let depth = 0
  let level: Nodes[] = [node]
  for (; level.length > 0; depth += 1) level = level.flatMap((each) => (isParent(each) ? each.children : []))
  return depth
}

test('Markdown written by people is parsed as Markdown', () => {
  expect(isTooComplex(ORDINARY)).toBe(false)
  expect(parseMarkdown(ORDINARY).children.map(({ type }) => type)).toContain('blockquote')
})

test('a long run of signs that may end a bare address is too complex; what pages contain is not', () => {
  const address = 'See www.example.com/a'
  expect(isTooComplex(`${address}${'&amp;'.repeat(200)}`)).toBe(true)
  expect(isTooComplex(`${address}${'?!'.repeat(300)}`)).toBe(true)
  expect(isTooComplex(`${address}?b=1${'&amp;c=2'.repeat(200)}`)).toBe(false)
  expect(isTooComplex(`Contents ${'.'.repeat(400)} 12`)).toBe(false)
})

test('overly complex Markdown is parsed as paragraphs of plain text with their positions', () => {
  const text = `one *two*\n\n${'**x**y'.repeat(2_000)}\n\nthree`
  const tree = parseMarkdown(text)

  expect(tree.children.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'paragraph'])
  const [first] = tree.children
  expect(first && text.slice(spanOf(first).start, spanOf(first).end)).toBe('one *two*')
})

const SIZES = [300, 2_000, 8_000, 24_000, 100_000]
/** A text beyond the limits is lines in paragraphs, whatever its signs: a megabyte of the most of either, and of the longest, tells of all. */
const OF_A_MEGABYTE = new Set(
  process.env['HOSTILE_SHAPES'] === 'all'
    ? Object.keys(HOSTILE_SHAPES)
    : ['markdown:list-items-loose', 'markdown:blank-lines', 'text:lines-short', 'text:word-one-long'],
)

describe.each(Object.entries(HOSTILE_SHAPES))('%s', (name, shape) => {
  test('is parsed without a stack overflow at every size', () => {
    for (const size of OF_A_MEGABYTE.has(name) ? [...SIZES, 1_000_000] : SIZES) {
      const tree = parseMarkdown(shape(size))
      expect(() => plainBlocksIn(tree), `${name} ${size}`).not.toThrow()
      expect(depthOf(tree), `${name} ${size}`).toBeLessThan(2_000)
    }
  })
})

test('what a megabyte is tried of exists', () => {
  expect(Object.keys(HOSTILE_SHAPES)).toEqual(expect.arrayContaining([...OF_A_MEGABYTE]))
})

test('the largest text of each shape that is parsed as Markdown takes under a second', () => {
  const slow = Object.entries(MARKDOWN_SHAPES).flatMap(([name, shape]) => {
    let size = 24_000
    while (size > 100 && isTooComplex(shape(size))) size = Math.floor(size * 0.9)
    const before = process.threadCpuUsage()
    plainTextOf(shape(size))
    const { user, system } = process.threadCpuUsage(before)
    // Some 50 ms; without the limits several of them take minutes.
    return user + system > 1_000_000 ? [`${name}: ${size} units, ${(user + system) / 1_000} ms`] : []
  })
  expect(slow).toEqual([])
})

import { expect, test } from 'vitest'
import { SourceFailure } from './connector.ts'
import { pathPatterns } from './glob.ts'
import { inlineIncludes } from './repository/inline-includes.ts'

async function cutIncludes(files: Record<string, string>): Promise<boolean> {
  const { isCut } = await inlineIncludes(
    'page.md',
    files['page.md'] ?? '',
    {
      bytesOf: (path) => files[path]?.length,
      read: (path) => Promise.resolve(files[path] ?? ''),
    },
    new AbortController().signal,
  )
  return isCut
}
const including = (path: string) => `<!--@include: ./${path}-->\n`
const chain = (length: number) =>
  Object.fromEntries([
    ['page.md', including('p1.md')],
    ...Array.from({ length }, (_, at) => [
      `p${at + 1}.md`,
      at + 1 < length ? including(`p${at + 2}.md`) : 'The end.',
    ]),
  ]) as Record<string, string>

test('a page tells that it includes more than is read', async () => {
  expect(await cutIncludes(chain(4))).toBe(false)
  expect(await cutIncludes(chain(8))).toBe(true)
  const many = (count: number) => ({ 'page.md': including('p.md').repeat(count), 'p.md': 'A part.' })
  expect(await cutIncludes(many(200))).toBe(false)
  expect(await cutIncludes(many(201))).toBe(true)
  expect(await cutIncludes({ 'page.md': including('p.md'), 'p.md': 'x'.repeat(2_000_001) })).toBe(true)
  // What is not there, and what is only written about, is nothing that a limit left out.
  expect(await cutIncludes({ 'page.md': `${including('gone.md')}Write \`<<<\` or @include:.` })).toBe(false)
})

test('a pattern with too many alternatives is refused, and 1,000 are all read', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`)
  const patterns = pathPatterns([`docs/{${names.join(',')}}.md`])
  expect(patterns.find('docs/n999.md')).toBeDefined()
  expect(patterns.find('docs/n1000.md')).toBeUndefined()
  const product = '{a,b}'.repeat(10)
  expect(() => pathPatterns([product]).find('x')).toThrow(SourceFailure)
  expect(() => pathPatterns(['{a,b}'.repeat(50)])).toThrow(/stand for more than 1,000 alternatives/)
})

import { expect, test } from 'vitest'
import { escapeMarkers } from './escape-markers.ts'

test("a page's own numbers in brackets are no citations, within links as well", () => {
  const escaped = (markdown: string) => escapeMarkers(markdown)
  expect(escaped('As in [3], [4, 5] and `a[6]`.')).toBe(
    String.raw`As in \[3\], \[4, 5\] and \`a[6]\`.`.replaceAll('\\`', '`'),
  )
  expect(escaped('[[20]](https://docs.test/#20) Wenn [21](https://docs.test/#21) ist.')).toBe(
    String.raw`[\[20\]](https://docs.test/#20) Wenn 21 ist.`,
  )
  expect(escaped('[**See [7]** there](https://docs.test)')).toBe(
    String.raw`[**See \[7\]** there](https://docs.test)`,
  )
  expect(escaped('[Version 2](https://docs.test) and ![8](https://docs.test/x.png)')).toBe(
    '[Version 2](https://docs.test) and ![8](https://docs.test/x.png)',
  )
  expect(escaped(String.raw`Escaped \[9\] already.`)).toBe(String.raw`Escaped \[9\] already.`)
})

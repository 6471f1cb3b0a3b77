import type { Passage } from '../../../content/search/search.ts'

/** Pages named as a hint. */
const CLOSEST_PAGES = 3

function linkTo({ title, url }: Passage): string {
  const label = title
    .replaceAll(/[[\]\\`<>*_]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const address = URL.parse(url)
  const isWeb = address !== null && /^https?:$/.test(address.protocol)
  // In angle brackets, brackets within the address do no harm.
  return isWeb ? `[${label}](<${address.href}>)` : label
}

/** Says plainly that the documentation has no answer, and names the pages closest to the question without claiming more. */
export async function* sayNotCovered(passages: readonly Passage[]): AsyncGenerator<string, void, void> {
  yield 'The documentation does not cover this question.'
  const pages = [...new Map(passages.map((passage) => [passage.documentId, passage])).values()].slice(
    0,
    CLOSEST_PAGES,
  )
  if (pages.length > 0)
    yield ` The closest pages are:\n\n${pages.map((page) => `- ${linkTo(page)}`).join('\n')}`
}

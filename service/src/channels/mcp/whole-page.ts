/** One passage of a page. */
interface Passage {
  heading_path: readonly string[]
  text: string
}

/** The headings of a passage that the one before it did not stand under; the page's title is the first level. */
function newHeadings(before: readonly string[], path: readonly string[]): string[] {
  const differs = path.findIndex((heading, depth) => before[depth] !== heading)
  if (differs < 0) return []
  return path
    .slice(differs)
    .map((heading, depth) => `${'#'.repeat(Math.min(6, differs + depth + 2))} ${heading}`)
}

/**
 * A page as Markdown, put together from its passages: their headings stand above them once.
 *
 * @param most characters; a longer page ends with a line that says so
 */
export function wholePage(
  passages: readonly Passage[],
  most: number,
): { content: string; isTruncated: boolean } {
  let path: readonly string[] = []
  const blocks: string[] = []
  for (const passage of passages) {
    blocks.push(...newHeadings(path, passage.heading_path), passage.text)
    path = passage.heading_path
  }
  const characters = Array.from(blocks.join('\n\n'))
  if (characters.length <= most) return { content: characters.join(''), isTruncated: false }
  const note = `\n\n[This page goes on. Only its first part is shown here.]`
  return { content: `${characters.slice(0, most - note.length).join('')}${note}`, isTruncated: true }
}

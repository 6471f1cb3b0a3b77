import { truncateText } from '../../kernel/cut-text.ts'
import { markdownName } from '../../kernel/markdown-name.ts'

/** Maximum number of headings above a passage. */
const MAX_LEVELS = 12

/** One passage of a page. */
interface Passage {
  heading_path: readonly string[]
  text: string
}

/** The headings of a passage that the previous passage was not under; the page's title is the first level. */
function newHeadings(before: readonly string[], path: readonly string[]): string[] {
  const differs = path.findIndex((heading, depth) => before[depth] !== heading)
  if (differs < 0) return []
  return path
    .slice(differs)
    .map((heading, depth) => `${'#'.repeat(Math.min(6, differs + depth + 2))} ${markdownName(heading)}`)
}

/**
 * Assembles a page as Markdown from its passages; each heading occurs once.
 *
 * @param most maximum characters; a longer page ends with a line that says it was truncated
 */
export function wholePage(
  passages: readonly Passage[],
  most: number,
): { content: string; isTruncated: boolean } {
  let path: readonly string[] = []
  const blocks: string[] = []
  let units = 0
  for (const passage of passages) {
    const added = [...newHeadings(path, passage.heading_path.slice(0, MAX_LEVELS)), passage.text]
    blocks.push(...added)
    path = passage.heading_path
    units += added.reduce((sum, block) => sum + block.length, 0)
    // A code point has at most two UTF-16 units, so the rest is not needed.
    if (units > 2 * most) break
  }
  const characters = Array.from(truncateText(blocks.join('\n\n'), 2 * most + 1))
  if (characters.length <= most) return { content: characters.join(''), isTruncated: false }
  const note = `\n\n[This page is truncated. Only its first part is shown here.]`
  return { content: `${characters.slice(0, most - note.length).join('')}${note}`, isTruncated: true }
}

/** Length that an excerpt is cut at, in characters. */
const EXCERPT_CHARACTERS = 300

const isSpace = (text: string, at: number) => text[at] === undefined || /\s/.test(text[at])

/**
 * A readable piece of plain text around the evidence, cut at words, with an ellipsis where something is left out.
 *
 * @param evidence - a part of the text; empty for its beginning
 */
export function excerptAround(text: string, evidence: string): string {
  if (text.length <= EXCERPT_CHARACTERS) return text
  const found = Math.max(0, text.indexOf(evidence))
  const spare = Math.max(0, EXCERPT_CHARACTERS - evidence.length)
  // A third of the room before the evidence, the rest after it.
  let start = Math.max(0, Math.min(found - Math.floor(spare / 3), text.length - EXCERPT_CHARACTERS))
  let end = Math.min(text.length, start + EXCERPT_CHARACTERS)
  while (start > 0 && start < found && !isSpace(text, start - 1)) start += 1
  while (end < text.length && end > start + EXCERPT_CHARACTERS / 2 && !isSpace(text, end)) end -= 1
  const cut = text.slice(start, end).trim().toWellFormed()
  return `${start > 0 ? '… ' : ''}${cut}${end < text.length ? ' …' : ''}`
}

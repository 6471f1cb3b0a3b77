import { createFinder } from '../../answers/citations/citations.ts'
import type { MarkdownToken } from './read-markdown.ts'

/** What is cited of a passage: the words that it begins and ends with, where they are known. */
export interface CitedWords {
  from: string | undefined
  to: string | undefined
}

/** A stretch of a token's text. */
export interface Marked {
  start: number
  end: number
}

const HAS_TEXT = new Set(['text', 'code_inline', 'fence', 'code_block'])

/** What a reader sees, in order. */
function* textsOf(tokens: readonly MarkdownToken[]): Generator<MarkdownToken> {
  for (const token of tokens) {
    if (HAS_TEXT.has(token.type)) yield token
    else if (token.type === 'inline') yield* textsOf(token.children ?? [])
  }
}

/** Where the cited words stand in a text. Undefined where they are too few to be told, or not there. */
function findWords(text: string, { from, to }: CitedWords): Marked | undefined {
  const first = from === undefined ? undefined : createFinder(text)(from)
  if (first === undefined || to === undefined) return first
  const last = createFinder(text.slice(first.start))(to)
  return last === undefined ? first : { start: first.start, end: first.start + last.end }
}

/** Which text of a passage is marked: the cited words, or all of it where they are not found. */
export function markWords(
  tokens: readonly MarkdownToken[],
  cited: CitedWords,
): { marked: ReadonlyMap<MarkdownToken, Marked>; isFound: boolean } {
  const texts = [...textsOf(tokens)]
  // Words of two blocks do not run into each other; within a line they may, and finding words looks at their letters alone.
  const found = findWords(texts.map(({ content }) => content).join('\n'), cited)
  const marked = new Map<MarkdownToken, Marked>()
  let at = 0
  for (const token of texts) {
    const { length } = token.content
    const start = Math.max(0, (found?.start ?? 0) - at)
    const end = Math.min(length, (found?.end ?? Infinity) - at)
    if (start < end && token.content.trim() !== '') marked.set(token, { start, end })
    at += length + 1
  }
  return { marked, isFound: found !== undefined }
}

import { createFinder } from '../../answers/citations/citations.ts'
import type { MarkdownToken } from './markdown-parser.ts'

/** The cited part of a passage: its first and last words, if known. */
export interface CitedWords {
  from: string | undefined
  to: string | undefined
}

/** A range of a token's text. */
export interface Marked {
  start: number
  end: number
}

const HAS_TEXT = new Set(['text', 'code_inline', 'fence', 'code_block'])

/** The tokens with visible text, in order. */
function* textsOf(tokens: readonly MarkdownToken[]): Generator<MarkdownToken> {
  for (const token of tokens) {
    if (HAS_TEXT.has(token.type)) yield token
    else if (token.type === 'inline') yield* textsOf(token.children ?? [])
  }
}

/** The range of the cited words in a text. Undefined if they are too few to be recognised, or not found. */
function findWords(text: string, { from, to }: CitedWords): Marked | undefined {
  const first = from === undefined ? undefined : createFinder(text)(from)
  if (first === undefined || to === undefined) return first
  const last = createFinder(text.slice(first.start))(to)
  return last === undefined ? first : { start: first.start, end: first.start + last.end }
}

/** The text of a passage to mark: the cited words, or all of it if they are not found. */
export function markWords(
  tokens: readonly MarkdownToken[],
  cited: CitedWords,
): { marked: ReadonlyMap<MarkdownToken, Marked>; isFound: boolean } {
  const texts = [...textsOf(tokens)]
  // Blocks are separated by a line break, so that words of two blocks do not merge; within a line they may, because the search compares
  // letters only.
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

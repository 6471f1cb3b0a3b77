import MarkdownIt, { type Token } from 'markdown-it'

/**
 * Parses the Markdown of stored passages in linear time. The parser that checks answers also returns positions, and takes quadratic time.
 */
const reader = new MarkdownIt({ html: false, linkify: false })
// Links are filtered when they are rendered: the parser would leave the brackets of a refused link as text.
reader.validateLink = () => true

// A line break in a table cell is the only HTML in our Markdown.
reader.inline.ruler.before('html_inline', 'line_break', (state, isSilent) => {
  const found = /^<br\s{0,2}\/?>/i.exec(state.src.slice(state.pos, state.pos + 9))
  if (found === null) return false
  if (!isSilent) state.push('hardbreak', 'br', 0)
  state.pos += found[0].length
  return true
})

export type MarkdownToken = Token

export const parsePassageMarkdown = (markdown: string): MarkdownToken[] => reader.parse(markdown, {})

/** A new renderer, whose rules the caller overrides. */
export const createWriter = () => new MarkdownIt().renderer

import MarkdownIt, { type Token } from 'markdown-it'

/**
 * Reads the Markdown that passages are stored in. Its reader takes time in proportion to the text; the one that answers are checked with
 * tells where each word stands, and takes the square of it.
 */
const reader = new MarkdownIt({ html: false, linkify: false })
// Which addresses are shown is decided where they are written out: a refused one would leave its brackets behind.
reader.validateLink = () => true

// A line break within a table's cell is the only HTML that our Markdown has.
reader.inline.ruler.before('html_inline', 'line_break', (state, isSilent) => {
  const found = /^<br\s{0,2}\/?>/i.exec(state.src.slice(state.pos, state.pos + 9))
  if (found === null) return false
  if (!isSilent) state.push('hardbreak', 'br', 0)
  state.pos += found[0].length
  return true
})

export type MarkdownToken = Token

export const readMarkdown = (markdown: string): MarkdownToken[] => reader.parse(markdown, {})

/** What is written out, and how, is in the hands of whoever writes. */
export const createWriter = () => new MarkdownIt().renderer

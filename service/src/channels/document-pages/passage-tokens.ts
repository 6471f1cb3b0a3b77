import type { MarkdownToken } from './markdown-parser.ts'

const isEmpty = ({ type, content }: MarkdownToken) => type === 'text' && content === ''

/** The content of a paragraph that is bold as a whole. */
function contentIfAllBold(children: readonly MarkdownToken[]): MarkdownToken[] | undefined {
  const parts = children.filter((child) => !isEmpty(child))
  const closes = parts.findIndex(({ type }) => type === 'strong_close')
  const isWhole = parts[0]?.type === 'strong_open' && closes === parts.length - 1
  return isWhole ? parts.slice(1, -1) : undefined
}

/** Turns a bold title above its text into a heading; small sections merged into one passage have such titles. */
export function titleAsHeading(tokens: MarkdownToken[], level: number): void {
  const [opens, line, closes] = tokens
  if (opens?.type !== 'paragraph_open' || line?.type !== 'inline' || closes === undefined) return
  const title = contentIfAllBold(line.children ?? [])
  if (title === undefined) return
  line.children = title
  opens.tag = closes.tag = `h${level}`
}

/** Removes empty table headers: Markdown requires a header, so tables without one get an empty one. */
export function removeEmptyTableHeaders(tokens: readonly MarkdownToken[]): MarkdownToken[] {
  const left: MarkdownToken[] = []
  let head: MarkdownToken[] | undefined
  for (const token of tokens) {
    if (token.type === 'thead_open') head = []
    if (head === undefined) left.push(token)
    else head.push(token)
    if (token.type !== 'thead_close') continue
    if (head?.some(({ type, content }) => type === 'inline' && content.trim() !== '') === true)
      left.push(...head)
    head = undefined
  }
  return left
}

import type { MarkdownToken } from './read-markdown.ts'

const isEmpty = ({ type, content }: MarkdownToken) => type === 'text' && content === ''

/** The words of a paragraph that is bold as a whole. */
function boldAlone(children: readonly MarkdownToken[]): MarkdownToken[] | undefined {
  const parts = children.filter((child) => !isEmpty(child))
  const closes = parts.findIndex(({ type }) => type === 'strong_close')
  const isWhole = parts[0]?.type === 'strong_open' && closes === parts.length - 1
  return isWhole ? parts.slice(1, -1) : undefined
}

/** A title that stands in bold above its words, as small sections of one passage have it, becomes a heading. */
export function titleAsHeading(tokens: MarkdownToken[], level: number): void {
  const [opens, line, closes] = tokens
  if (opens?.type !== 'paragraph_open' || line?.type !== 'inline' || closes === undefined) return
  const title = boldAlone(line.children ?? [])
  if (title === undefined) return
  line.children = title
  opens.tag = closes.tag = `h${level}`
}

/** Tables without a header of their own have an empty one in Markdown. It is left out. */
export function withoutEmptyHeads(tokens: readonly MarkdownToken[]): MarkdownToken[] {
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

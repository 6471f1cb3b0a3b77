/**
 * Rewrites what documentation generators add to Markdown as plain Markdown, line by line and outside of code: containers
 * (`::: tip`), admonitions (`!!! note`), alerts (`> [!NOTE]`), content tabs (`=== "npm"`), tables of contents (`[[toc]]`).
 * What such a thing is called stays as a bold line; what is in it stays as it is.
 */
export function rewriteDialects(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  /** Indentation of the admonitions that are open: what is in them is moved out by four columns each. */
  const indents: number[] = []
  for (const line of markdown.split(/\r?\n/)) {
    const depth = /^ */.exec(line)?.[0].length ?? 0
    while (line.trim() !== '' && indents.length > 0 && depth <= (indents.at(-1) ?? 0)) indents.pop()
    const text = indents.length === 0 ? line : line.slice(Math.min(depth, indents.length * 4))
    const mark = /^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(text)?.[1]
    if (fence === undefined && mark !== undefined) fence = mark
    else if (
      fence !== undefined &&
      mark !== undefined &&
      mark.startsWith(fence) &&
      /^\s*[`~]+\s*$/.test(text)
    )
      fence = undefined
    if (fence !== undefined || mark !== undefined) lines.push(text)
    else lines.push(...rewriteLine(text, () => indents.push(depth)))
  }
  return lines.join('\n')
}

const CONTAINER = /^(\s*(?:>\s*)*):{3,}\s*([\w-]+)?\s*(?:\[([^\]]*)\])?(.*)$/
const ADMONITION = /^(\s*)(?:!!!|\?\?\?\+?)\s+([\w-]+)[\w\s-]*?(?:"([^"]*)")?\s*$/
const CONTENT_TAB = /^(\s*)===[!+]?\s+"([^"]*)"\s*$/
const ALERT = /^(\s*(?:>\s*)+)\[!(\w+)\]\s*(.*)$/
const TABLE_OF_CONTENTS = /^\s*(?:\[\[_?toc_?\]\]|\[toc\]|\{:toc\}|\$\{toc\})\s*$/i
/** VitePress and Kramdown: a file to be pasted here, and attributes of the block above. */
const DIRECTIVE = /^\s*(?:<<<\s+\S.*|\{:\s?[.#\w][^}]*\})\s*$/

/** Containers that only lay out what is in them. */
const SILENT = new Set([
  'code-group',
  'raw',
  'v-pre',
  'tabs',
  'container',
  'row',
  'col',
  'grid',
  'steps',
  'card-grid',
])

function rewriteLine(line: string, openIndented: () => void): string[] {
  const container = CONTAINER.exec(line)
  if (container !== null) return bold(container[1] ?? '', containerTitle(container))
  const indented = ADMONITION.exec(line) ?? CONTENT_TAB.exec(line)
  if (indented !== null) {
    openIndented()
    const [, margin = '', word = '', title = nameOf(word)] = indented
    return bold(margin, indented.length === 3 ? word : title)
  }
  const alert = ALERT.exec(line)
  if (alert !== null) return [`${alert[1]}**${alert[3] || nameOf(alert[2] ?? '')}**`, alert[1] ?? '']
  return TABLE_OF_CONTENTS.test(line) || DIRECTIVE.test(line) ? [''] : [line]
}

/** `::: tip Mind this`, `:::note[Mind this]` or `::: details`; nothing at the end of a container. */
function containerTitle([, , name, bracketed, rest = '']: RegExpExecArray): string {
  if (name === undefined) return ''
  return bracketed || rest.replaceAll(/\{[^}]*\}/g, '').trim() || (SILENT.has(name) ? '' : nameOf(name))
}

/** A bold line of its own; blank lines keep it apart from what is around it. */
function bold(margin: string, title: string): string[] {
  const blank = margin.trimEnd()
  return title === '' ? [blank] : [blank, `${margin}**${title.replaceAll('**', '')}**`, blank]
}

/** @example nameOf('warning') // 'Warning' */
function nameOf(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase().replaceAll('-', ' ')
}

/**
 * Rewrites Markdown extensions of documentation generators as plain Markdown, line by line and outside of code: containers (`::: tip`),
 * admonitions (`!!! note`), alerts (`> [!NOTE]`), content tabs (`=== "npm"`), tables of contents (`[[toc]]`). Their titles become bold
 * lines; their contents are kept.
 */
export function rewriteDialects(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  /** Indentation of the open admonitions: the contents of each are dedented by four columns. */
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

const CONTAINER = /^(\s*(?:>\s*)*):{3,}([^]*)$/
const ADMONITION = /^(\s*)(?:!!!|\?\?\?\+?)(\s[^]*)$/
const CONTENT_TAB = /^(\s*)===[!+]?\s+"([^"]*)"\s*$/
const ALERT = /^(\s*(?:>\s*)+)\[!(\w+)\]([^]*)$/
const TABLE_OF_CONTENTS = /^\s*(?:\[\[_?toc_?\]\]|\[toc\]|\{:toc\}|\$\{toc\})\s*$/i
/** VitePress and Kramdown: a file to be included here, and attributes of the block above. */
const DIRECTIVE = /^(?:<<<\s+\S|\{:\s?[.#\w][^}]*\}$)/

/** Containers that are only used for layout. */
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
  if (container !== null) return bold(container[1] ?? '', containerTitle(container[2] ?? ''))
  const indented = indentedTitle(line)
  if (indented !== undefined) {
    openIndented()
    return bold(...indented)
  }
  const alert = ALERT.exec(line)
  if (alert !== null) return [`${alert[1]}**${alert[3]?.trim() || nameOf(alert[2] ?? '')}**`, alert[1] ?? '']
  return TABLE_OF_CONTENTS.test(line) || DIRECTIVE.test(line.trim()) ? [''] : [line]
}

/** `::: tip Mind this`, `:::note[Mind this]` or `::: details`; empty at the end of a container. */
function containerTitle(written: string): string {
  const marker = written.trim()
  const name = /^[\w-]+/.exec(marker)?.[0]
  if (name === undefined) return ''
  const rest = marker.slice(name.length).trim()
  const bracketed = /^\[([^\]]*)\]/.exec(rest)?.[1]
  return bracketed || rest.replaceAll(/\{[^{}]*\}/g, '').trim() || (SILENT.has(name) ? '' : nameOf(name))
}

/** For an admonition or a tab, whose content is indented: the text before its marker, and its title. */
function indentedTitle(line: string): [margin: string, title: string] | undefined {
  const [, margin = '', tab] = CONTENT_TAB.exec(line) ?? []
  if (tab !== undefined) return [margin, tab]
  const [, before = '', marker] = ADMONITION.exec(line) ?? []
  const title = marker === undefined ? undefined : admonitionTitle(marker.trim())
  return title === undefined ? undefined : [before, title]
}

/** `note`, `note inline` or `note "Mind this"`; undefined if it is not an admonition. */
function admonitionTitle(marker: string): string | undefined {
  const word = /^[\w-]+/.exec(marker)?.[0]
  if (word === undefined) return undefined
  const [before = '', title, after] = marker.slice(word.length).split('"', 4)
  const isOne = /^[\w\s-]*$/.test(before) && (title === undefined || after === '')
  return isOne ? (title ?? nameOf(word)) : undefined
}

/** A bold line; blank lines separate it from its surroundings. */
function bold(margin: string, title: string): string[] {
  const blank = margin.trimEnd()
  return title === '' ? [blank] : [blank, `${margin}**${title.replaceAll('**', '')}**`, blank]
}

/** @example nameOf('warning') // 'Warning' */
function nameOf(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase().replaceAll('-', ' ')
}

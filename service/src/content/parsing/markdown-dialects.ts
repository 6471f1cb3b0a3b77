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

const CONTAINER = /^(\s*(?:>\s*)*):{3,}([^]*)$/
const ADMONITION = /^(\s*)(?:!!!|\?\?\?\+?)(\s[^]*)$/
const CONTENT_TAB = /^(\s*)===[!+]?\s+"([^"]*)"\s*$/
const ALERT = /^(\s*(?:>\s*)+)\[!(\w+)\]([^]*)$/
const TABLE_OF_CONTENTS = /^\s*(?:\[\[_?toc_?\]\]|\[toc\]|\{:toc\}|\$\{toc\})\s*$/i
/** VitePress and Kramdown: a file to be pasted here, and attributes of the block above. */
const DIRECTIVE = /^(?:<<<\s+\S|\{:\s?[.#\w][^}]*\}$)/

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

/** `::: tip Mind this`, `:::note[Mind this]` or `::: details`; nothing at the end of a container. */
function containerTitle(written: string): string {
  const said = written.trim()
  const name = /^[\w-]+/.exec(said)?.[0]
  if (name === undefined) return ''
  const rest = said.slice(name.length).trim()
  const bracketed = /^\[([^\]]*)\]/.exec(rest)?.[1]
  return bracketed || rest.replaceAll(/\{[^{}]*\}/g, '').trim() || (SILENT.has(name) ? '' : nameOf(name))
}

/** Of an admonition or a tab, whose content is indented: what stands before it, and its title. */
function indentedTitle(line: string): [margin: string, title: string] | undefined {
  const [, margin = '', tab] = CONTENT_TAB.exec(line) ?? []
  if (tab !== undefined) return [margin, tab]
  const [, before = '', said] = ADMONITION.exec(line) ?? []
  const title = said === undefined ? undefined : admonitionTitle(said.trim())
  return title === undefined ? undefined : [before, title]
}

/** `note`, `note inline` or `note "Mind this"`; undefined where it is none. */
function admonitionTitle(said: string): string | undefined {
  const word = /^[\w-]+/.exec(said)?.[0]
  if (word === undefined) return undefined
  const [before = '', title, after] = said.slice(word.length).split('"', 4)
  const isOne = /^[\w\s-]*$/.test(before) && (title === undefined || after === '')
  return isOne ? (title ?? nameOf(word)) : undefined
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

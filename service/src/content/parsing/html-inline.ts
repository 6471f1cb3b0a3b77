import { isFootnoteMark } from './html-footnotes.ts'
import type { Reading } from './html-reading.ts'
import {
  attribute,
  childrenOf,
  findElement,
  hasClass,
  isElement,
  isText,
  lineOf,
  textOf,
} from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'
import { codeSpan, emphasised, escapeText, image, linkTo, tidyInline } from './inline-markdown.ts'

/** Converts nodes to one run of inline Markdown; line breaks of `<br>` are kept as newlines. */
export function inlineMarkdown(nodes: readonly HtmlNode[], reading: Reading): string {
  return tidyInline(writeAll(nodes, reading))
}

/** The same without links: for headings, terms and labels. */
export function labelMarkdown(nodes: readonly HtmlNode[], reading: Reading): string {
  const label = inlineMarkdown(nodes, { ...reading, resolve: () => undefined })
  return label.replaceAll(/\s+/g, ' ').replace(/ ?[¶§#🔗] ?$/u, '')
}

/** Emphasis that is being written, with the parts that it has so far. */
interface Emphasis {
  mark: '*' | '**' | '~~'
  parts: string[]
}

/** Ends of a text that read as something else with what follows: a link, a picture, an element, an entity, another mark. */
const OPEN_END = /(?<!\\)[\\*_~<!&\]]$/
/** The same of beginnings; a mark without white space behind it is an emphasis within. */
const OPEN_START = /^[*_~](?=\s|$)/

/** Puts a text that is escaped for itself behind another one. */
function addPart({ parts }: Emphasis, part: string): void {
  const last = parts.pop()
  if (last === undefined) parts.push(part)
  else parts.push(last.replace(OPEN_END, String.raw`\$&`), part.replace(OPEN_START, String.raw`\$&`))
}

/** Two code spans side by side would be read as one. */
const areCode = (before: string | undefined, after: string) =>
  before?.endsWith('`') === true && after.startsWith('`')

/** Emphases side by side are one: Sphinx writes each part of a type in its own, and `*Optional**[*` would be read as bold. */
function writeAll(nodes: readonly HtmlNode[], reading: Reading): string {
  let markdown = ''
  let open: Emphasis | undefined
  const close = () => {
    if (open !== undefined) markdown += emphasised(open.parts.join(''), open.mark)
    open = undefined
  }
  for (const node of nodes) {
    if (isElement(node) && (reading.isLeftOut(node) || isFootnoteMark(node))) continue
    const mark = isElement(node) ? markOf(node) : undefined
    if (isElement(node) && mark !== undefined) {
      const inner = writeAll(childrenOf(node), reading)
      if (inner === '') continue
      if (open?.mark !== mark || areCode(open.parts.at(-1), inner)) close()
      open ??= { mark, parts: [] }
      addPart(open, inner)
      continue
    }
    close()
    if (isText(node)) markdown += escapeText(node.value.replaceAll(/[ \t\r\n\f]+/g, ' '))
    else if (isElement(node)) markdown += write(node, reading)
  }
  close()
  return markdown
}

/** Elements with their own way of writing. */
const WRITERS: Record<string, (element: HtmlElement, reading: Reading) => string> = {
  code: writeCode,
  tt: writeCode,
  samp: writeCode,
  kbd: writeCode,
  br: () => '\n',
  wbr: () => '',
  img: writeImage,
  math: writeMath,
  svg: diagramText,
  a: writeLink,
  sup: writeSuperscript,
}

/** Markdown marks for elements. */
const MARKS: Record<string, '*' | '**' | '~~'> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  cite: '*',
  dfn: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}

const markOf = (element: HtmlElement) =>
  hasClass(element, 'katex', 'MathJax', 'mjx-container') ? undefined : MARKS[element.tagName]

/** Elements that are visually separate from their neighbours; a space separates them here. */
const APART = new Set(['summary', 'label', 'td', 'th'])

function write(element: HtmlElement, reading: Reading): string {
  const tag = element.tagName
  const writer = WRITERS[tag]
  if (writer !== undefined) return writer(element, reading)
  if (hasClass(element, 'katex', 'MathJax', 'mjx-container')) return writeMath(element)
  const inner = writeAll(childrenOf(element), reading)
  if (tag === 'q') return `“${inner}”`
  return APART.has(tag) ? ` ${inner} ` : inner
}

/** Emphasis within code is dropped: Markdown does not support it there. */
function writeCode(element: HtmlElement): string {
  const picture = findElement(element, (child) => child.tagName === 'img')
  const text = textOf(element)
  return text.trim() === '' && picture !== undefined
    ? escapeText(attribute(picture, 'alt') ?? '')
    : codeSpan(text)
}

function writeLink(element: HtmlElement, reading: Reading): string {
  const inner = writeAll(childrenOf(element), reading)
  const address = attribute(element, 'href')
  // The permalink beside a heading, whatever its class.
  if (address?.startsWith('#') && /^[¶§#🔗↩↑]?[\uFE0E\uFE0F]?$/u.test(inner.trim())) return ''
  return address === undefined ? inner : linkTo(inner, reading.resolve(address))
}

function writeImage(element: HtmlElement, reading: Reading): string {
  const alt = attribute(element, 'alt')?.trim() ?? ''
  if (alt === '') return ''
  if (hasClass(element, 'math', 'mathimg', 'tex', 'latex')) return `$${alt.replaceAll(/\s+/g, ' ')}$`
  const source = attribute(element, 'src')
  return image(alt, source ? reading.resolve(source) : undefined)
}

/** The TeX source if the page includes it beside the rendered formula, else the formula's text. */
function writeMath(element: HtmlElement): string {
  const source = findElement(
    element,
    (child) => child.tagName === 'annotation' && attribute(child, 'encoding') === 'application/x-tex',
  )
  const tex = source === undefined ? attribute(element, 'alttext') : textOf(source)
  if (tex !== undefined) return `$${tex.replaceAll(/\s+/g, ' ').trim()}$`
  const math = findElement(element, (child) => child.tagName === 'math')
  return escapeText(lineOf(math ?? element))
}

/** A footnote's mark keeps its brackets; an exponent gets a `^`. */
function writeSuperscript(element: HtmlElement, reading: Reading): string {
  const inner = writeAll(childrenOf(element), reading)
  return /^[\dn+-]{1,3}$/i.test(inner) ? `^${inner}` : inner
}

/** Words within a drawing, such as a railroad diagram. With only a few words it is a logo. */
function diagramText(element: HtmlElement): string {
  const words: string[] = []
  const visit = (node: HtmlNode) => {
    if (isElement(node) && node.tagName === 'text') words.push(lineOf(node))
    else for (const child of childrenOf(node)) visit(child)
  }
  visit(element)
  return words.length < 3 ? '' : ` ${escapeText(words.join(' '))} `
}

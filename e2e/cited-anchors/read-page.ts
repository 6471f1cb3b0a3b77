import { parse, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document
type Element = DefaultTreeAdapterTypes.Element

/** A place on a page that a citation may point to. */
export interface Opening {
  kind: 'heading' | 'entry'
  /** Every id at which a browser shows it: its own, those of preceding anchor elements, and that of the section it begins. */
  ids: string[]
  title: string
  /** Offset in the page's letters. */
  at: number
  /** Offset of its end: of an entry, the end of its definition; of a heading, the end of the page. */
  until: number
}

/** A served page, parsed only to be compared with its citations. */
export interface ServedPage {
  /** Letters and digits of its text, in lower case. */
  letters: string
  ids: ReadonlySet<string>
  openings: Opening[]
  /** Texts of its paragraphs, unchanged. */
  paragraphs: string[]
}

const IGNORED_ELEMENTS = new Set(['script', 'style', 'head', 'noscript', 'template', 'nav'])

export const lettersOf = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join('')

const isElement = (node: Node): node is Element => 'tagName' in node
const attribute = (element: Element, name: string) =>
  element.attrs.find((each) => each.name === name)?.value || undefined

function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

/** Reads the main part of a page, or all of it if there is no main part. */
export function readPage(html: string): ServedPage {
  const tree = parse(html)
  const ids = new Map<string, number>()
  const marked: { ids: string[]; at: number }[] = []
  const openings: Opening[] = []
  const paragraphs: string[] = []
  const pieces: string[] = []
  let length = 0

  function visit(node: Node): void {
    if (node.nodeName === '#text' && 'value' in node) {
      const letters = lettersOf(node.value)
      pieces.push(letters)
      length += letters.length
    }
    if (isElement(node)) {
      if (IGNORED_ELEMENTS.has(node.tagName)) return
      const own = [attribute(node, 'id'), node.tagName === 'a' ? attribute(node, 'name') : undefined]
      const named = own.filter((id) => id !== undefined)
      for (const id of named) if (!ids.has(id)) ids.set(id, length)
      if (named.length > 0) marked.push({ ids: named, at: length })
      if (/^h[1-6]$/.test(node.tagName)) {
        const title = textOf(node).trim()
        const within = [...idsOf(node)]
        openings.push({ kind: 'heading', ids: within, title, at: length, until: Number.POSITIVE_INFINITY })
      } else if (node.tagName === 'dl') {
        readEntries(node)
        return
      } else if (node.tagName === 'p') paragraphs.push(textOf(node))
    }
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }

  /** Terms and their definitions: each entry ends with its definition. */
  function readEntries(list: Element): void {
    let open: Opening[] = []
    let isDefined = false
    for (const child of list.childNodes) {
      if (isElement(child) && child.tagName === 'dt') {
        if (isDefined) open = []
        isDefined = false
        const title = textOf(child).trim()
        const entry: Opening = { kind: 'entry', ids: [...idsOf(child)], title, at: length, until: length }
        openings.push(entry)
        open.push(entry)
      } else if (isElement(child)) isDefined = true
      visit(child)
      for (const entry of open) entry.until = length
    }
  }

  visit(mainOf(tree) ?? tree)
  const letters = pieces.join('')
  return {
    letters,
    ids: new Set(idsOf(tree)),
    openings: openings.map((opening) => ({
      ...opening,
      ids: [...opening.ids, ...marked.filter(({ at }) => at === opening.at).flatMap((mark) => mark.ids)],
    })),
    paragraphs,
  }
}

function* idsOf(node: Node): Generator<string, void, void> {
  if (isElement(node)) {
    for (const { name, value } of node.attrs)
      if (name === 'id' || (name === 'name' && node.tagName === 'a')) yield value
  }
  if ('childNodes' in node) for (const child of node.childNodes) yield* idsOf(child)
}

function mainOf(node: Node): Element | undefined {
  if (isElement(node) && (node.tagName === 'main' || attribute(node, 'role') === 'main')) return node
  if (!('childNodes' in node)) return undefined
  for (const child of node.childNodes) {
    const found = mainOf(child)
    if (found !== undefined) return found
  }
  return undefined
}

import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5'
import { ParseFailure } from './parse-failure.ts'

export type HtmlElement = DefaultTreeAdapterTypes.Element
export type HtmlNode = DefaultTreeAdapterTypes.Node
export type HtmlDocument = DefaultTreeAdapterTypes.Document

const MAX_DEPTH = 512
const MAX_NODES = 1_000_000

/**
 * Parses a page as a browser with scripts disabled would.
 * @throws ParseFailure if it is nested deeper than 512 elements or has more than a million.
 */
export function parseTree(html: string): HtmlDocument {
  let depth = 0
  let nodes = 0
  return parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...element: Parameters<typeof defaultTreeAdapter.createElement>) {
        nodes += 1
        if (nodes > MAX_NODES) throw new ParseFailure('The page contains more than a million elements.')
        return defaultTreeAdapter.createElement(...element)
      },
      // Checked while parsing: the parser itself takes quadratic time on deep nesting.
      onItemPush() {
        depth += 1
        if (depth > MAX_DEPTH)
          throw new ParseFailure(`The page is nested more than ${MAX_DEPTH} elements deep.`)
      },
      onItemPop() {
        depth -= 1
      },
    },
  })
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node
}

export function isText(node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text'
}

export function childrenOf(node: HtmlNode): HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : []
}

export function elementsOf(node: HtmlNode): HtmlElement[] {
  return childrenOf(node).filter(isElement)
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  for (const each of element.attrs) if (each.name === name) return each.value
  return undefined
}

const WORD = /\S+/g

/** Class names of an element, as written. */
export function classesOf(element: HtmlElement): string[] {
  return attribute(element, 'class')?.match(WORD) ?? []
}

export function hasClass(element: HtmlElement, ...names: string[]): boolean {
  return classesOf(element).some((name) => names.includes(name))
}

/** What a link or an anchor says that its target is. */
export function relOf(element: HtmlElement): string[] {
  return (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/)
}

/** Treats an empty id as missing. */
export function idOf(element: HtmlElement): string | undefined {
  return attribute(element, 'id') || undefined
}

/** All elements below a node, in document order; `enter` decides whether to descend into one. */
export function* descendants(
  node: HtmlNode,
  enter: (element: HtmlElement) => boolean = () => true,
): Generator<HtmlElement, void, void> {
  // An explicit stack: nested generators cost time at every level.
  const ahead: HtmlNode[] = []
  const look = (parent: HtmlNode) => {
    const children = childrenOf(parent)
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      if (child !== undefined && 'tagName' in child) ahead.push(child)
    }
  }
  look(node)
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (!isElement(next)) continue
    yield next
    if (enter(next)) look(next)
  }
}

export function findElement(
  node: HtmlNode,
  matches: (element: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const child of childrenOf(node)) {
    if (!isElement(child)) continue
    if (matches(child)) return child
    const found = findElement(child, matches)
    if (found !== undefined) return found
  }
  return undefined
}

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head'])

/** Text of a node with its whitespace, without scripts and styles. */
export function textOf(node: HtmlNode): string {
  if (isText(node)) return node.value
  let text = ''
  for (const child of childrenOf(node)) {
    if (!(isElement(child) && SILENT.has(child.tagName))) text += textOf(child)
  }
  return text
}

/** Text on one line, with single spaces. */
export function lineOf(node: HtmlNode): string {
  return oneLine(textOf(node))
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

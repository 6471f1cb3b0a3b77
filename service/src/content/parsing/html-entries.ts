import type { Block } from './parsing-blocks.ts'
import type { BlockReading } from './html-reading.ts'
import { labelMarkdown } from './html-inline.ts'
import {
  attribute,
  childrenOf,
  descendants,
  elementsOf,
  hasClass,
  idOf,
  isText,
  textOf,
} from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'
import { codeSpan } from './inline-markdown.ts'
import { renderBlocks } from './render-markdown.ts'

interface Definition {
  /** Anchor of an empty element between this definition and the previous one. */
  mark: string | undefined
  terms: HtmlElement[]
  bodies: HtmlElement[]
}

/** Reads `<dl>`: API signatures, options, glossaries and fields. */
export function createEntryReader(reading: BlockReading) {
  return function readDefinitions(blocks: Block[], list: HtmlElement) {
    const definitions = groupDefinitions(list, reading)
    const isFieldList = hasClass(list, 'field-list', 'docinfo')
    const bare: string[] = []
    for (const { mark, terms, bodies } of definitions) {
      // Of several terms the last one is directly above the definition.
      const anchor =
        terms.map(anchorWithin).findLast((found) => found !== undefined) ?? mark ?? reading.takeAnchor()
      const term = terms
        .map((each) => termMarkdown(each, reading))
        .filter(Boolean)
        .join(', ')
      const inner = bodies.flatMap((body) => reading.readNodes(childrenOf(body)))
      if (inner.length === 0 && term !== '' && anchor === undefined) {
        bare.push(linkedTerms(terms, reading))
      } else if (term === '') {
        blocks.push(...inner)
      } else if (isFieldList) {
        blocks.push(...fieldBlocks(term, inner))
      } else {
        blocks.push({ kind: 'entry', term, anchor, blocks: inner })
      }
    }
    // Terms without a definition: a table of contents written as a definition list.
    if (bare.length > 0) blocks.push({ kind: 'list', items: bare, isOrdered: false })
  }
}

/** `**Parameters**` and what follows it, on one line if it is short. */
function fieldBlocks(term: string, inner: Block[]): Block[] {
  const name = term.replace(/:$/, '')
  const [only, ...others] = inner
  if (only?.kind === 'paragraph' && others.length === 0)
    return [{ kind: 'paragraph', markdown: `**${name}:** ${only.markdown}` }]
  return [{ kind: 'paragraph', markdown: `**${name}:**` }, ...inner]
}

function groupDefinitions(list: HtmlElement, reading: BlockReading): Definition[] {
  const definitions: Definition[] = []
  const parts = elementsOf(list).flatMap((child) => (child.tagName === 'div' ? elementsOf(child) : [child]))
  let mark: string | undefined
  for (const part of parts) {
    if (reading.isLeftOut(part)) continue
    const last = definitions.at(-1)
    if (part.tagName !== 'dt' && part.tagName !== 'dd' && textOf(part).trim() === '') {
      mark = anchorWithin(part) ?? mark
    } else if (part.tagName === 'dt') {
      // Several terms in a row share the definition that follows; links in a row are a table of contents.
      if (last === undefined || last.bodies.length > 0 || isLink(part))
        definitions.push({ mark, terms: [part], bodies: [] })
      else last.terms.push(part)
      mark = undefined
    } else if (last === undefined) {
      definitions.push({ mark, terms: [], bodies: [part] })
    } else {
      last.bodies.push(part)
    }
  }
  return definitions
}

function isLink(term: HtmlElement): boolean {
  let inner: HtmlElement | undefined = term
  while (inner !== undefined && inner.tagName !== 'a') {
    const children: HtmlElement[] = elementsOf(inner)
    inner = children.length === 1 ? children[0] : undefined
  }
  return inner !== undefined && attribute(inner, 'href') !== undefined
}

function termMarkdown(term: HtmlElement, reading: BlockReading): string {
  if (hasClass(term, 'sig')) return codeSpan(signature(childrenOf(term), reading)).trim()
  return labelMarkdown(childrenOf(term), reading)
}

/** A signature as code, without links and emphasis. */
function signature(nodes: readonly HtmlNode[], reading: BlockReading): string {
  return nodes
    .map((node) => {
      if (isText(node)) return node.value
      if ('tagName' in node && reading.isLeftOut(node)) return ''
      return signature(childrenOf(node), reading)
    })
    .join('')
}

function linkedTerms(terms: HtmlElement[], reading: BlockReading): string {
  return renderBlocks(terms.flatMap((term) => reading.readNodes(childrenOf(term)))).replaceAll(/\s+/g, ' ')
}

function anchorWithin(term: HtmlElement): string | undefined {
  const own = idOf(term) ?? (term.tagName === 'a' ? attribute(term, 'name') || undefined : undefined)
  if (own !== undefined) return own
  for (const inner of descendants(term)) {
    const anchor = idOf(inner) ?? (inner.tagName === 'a' ? attribute(inner, 'name') || undefined : undefined)
    if (anchor !== undefined) return anchor
  }
  return undefined
}

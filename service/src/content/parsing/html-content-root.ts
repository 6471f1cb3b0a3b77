import { selectAll } from './html-select.ts'
import { isBoilerplate, type Pruning } from './html-boilerplate.ts'
import {
  attribute,
  childrenOf,
  classesOf,
  descendants,
  findElement,
  idOf,
  isElement,
  isText,
  lineOf,
} from './html-tree.ts'
import type { HtmlDocument, HtmlElement, HtmlNode } from './html-tree.ts'
import { ParseFailure } from './parse-failure.ts'

/** The elements that contain the text of a page, and how much of their surroundings has to be removed. */
export interface ContentRoot {
  elements: HtmlElement[]
  isWholeBody: boolean
}

type Test = (element: HtmlElement, classes: readonly string[]) => boolean

const byClass =
  (...names: string[]): Test =>
  (_, classes) =>
    classes.some((name) => names.includes(name))

/** Marks of documentation generators: one of these is certainly the content element. */
const GENERATOR_SIGNS: Test[] = [
  byClass('theme-doc-markdown'), // Docusaurus
  byClass('vp-doc'), // VitePress
  (element, classes) => element.tagName === 'article' && classes.includes('md-content__inner'), // Material for MkDocs
  (element) => attribute(element, 'itemprop') === 'articleBody', // Read the Docs, Jekyll
  byClass('sl-markdown-content', 'bd-article', 'nextra-content', 'markdown-section', 'gitbook-markdown'),
  (element, classes) =>
    element.tagName === 'div' && classes.includes('body') && attribute(element, 'role') === 'main', // Sphinx
  (element) => idOf(element) === 'main-content' && element.tagName === 'section', // rustdoc
]

/** Elements that HTML itself offers for this, and names that many sites use. */
const COMMON_SIGNS: Test[] = [
  (element) => attribute(element, 'role') === 'main',
  (element) => element.tagName === 'main',
  (element) => element.tagName === 'article',
  byClass('markdown-body', 'md-content', 'document-content', 'doc-content', 'docs-content', 'entry-content'),
  (element) =>
    ['mw-content-text', 'doc-content', 'docs-content', 'main-content'].includes(idOf(element) ?? ''),
  (element, classes) => element.tagName === 'div' && classes.includes('body'),
  (element) => ['content', 'main'].includes(idOf(element) ?? '') && element.tagName === 'div',
]

/** Signs of the content element, most reliable first. Generators put more into `<main>` than the text, so their own marks come first. */
const SIGNS = [...GENERATOR_SIGNS, ...COMMON_SIGNS]

/** A marked element with a smaller share of the page's text is not the content (a teaser, a search result). */
const MIN_SHARE = 0.25

/**
 * @param selector The owner's own choice, which takes precedence and must match something.
 * @throws ParseFailure if the selector is invalid, or matches nothing on this page.
 */
export function findContentRoot(
  tree: HtmlDocument,
  body: HtmlElement,
  selector: string | undefined,
): ContentRoot {
  if (selector !== undefined) {
    const elements = selectAll(tree, selector)
    if (elements.length > 0) return { elements, isWholeBody: false }
    throw new ParseFailure(`Nothing on the page matches the content selector "${selector}".`)
  }
  // AsciiDoc writes a manual page's name and purpose beside its content element, not into it.
  if (findElement(body, (element) => idOf(element) === 'header') && isAsciiDoc(body))
    return { elements: [body], isWholeBody: false }
  let whole: number | undefined
  for (const [rank, candidates] of candidatesBySign(body).entries()) {
    if (candidates.length === 0) continue
    // Several articles side by side: together they are the page.
    const elements = outermost(candidates)
    const text = elements.reduce((sum, element) => sum + proseLength(element), 0)
    if (text === 0 && elements.every((element) => lineOf(element) === '')) continue
    if (rank < GENERATOR_SIGNS.length) return { elements, isWholeBody: false }
    whole ??= proseLength(body)
    if (text >= whole * MIN_SHARE) return { elements, isWholeBody: false }
  }
  return { elements: [body], isWholeBody: true }
}

function isAsciiDoc(body: HtmlElement): boolean {
  return classesOf(body).some((name) => ['manpage', 'article', 'book'].includes(name))
}

function candidatesBySign(body: HtmlElement): HtmlElement[][] {
  const found: HtmlElement[][] = SIGNS.map(() => [])
  for (const element of descendants(body)) {
    if (element.attrs.length === 0 && element.tagName !== 'main' && element.tagName !== 'article') continue
    const classes = classesOf(element)
    for (const [rank, sign] of SIGNS.entries()) if (sign(element, classes)) found[rank]?.push(element)
  }
  return found
}

function outermost(elements: HtmlElement[]): HtmlElement[] {
  const all = new Set<HtmlNode>(elements)
  return elements.filter((element) => {
    for (
      let up: HtmlNode | null = element.parentNode;
      up !== null;
      up = isElement(up) ? up.parentNode : null
    ) {
      if (all.has(up)) return false
    }
    return true
  })
}

const FRAME: Pruning = { isWholeBody: true, keepsContents: true }

/** Number of characters of text below an element, outside of links and page furniture. */
export function proseLength(node: HtmlNode): number {
  let length = 0
  for (const child of childrenOf(node)) {
    if (isText(child)) length += child.value.trim().length
    else if (isElement(child) && child.tagName !== 'a' && !isBoilerplate(child, FRAME))
      length += proseLength(child)
  }
  return length
}

import {
  attribute,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  idOf,
  lineOf,
  oneLine,
} from './html-tree.ts'
import type { HtmlDocument, HtmlElement, HtmlNode } from './html-tree.ts'

/** Separates a page's title from its site's name. */
const SEPARATOR = / (?:[|—–·•»:]|::|-) /

const SEPARATED = /^$|^\s*(?:[|—–·•»:]|::|-)\s/

/**
 * Title of a page: its own heading, or `<title>` without the site's name if the heading is the site's.
 * @param roots The elements that contain the page's text.
 * @param lastResort e.g. the last segment of the address
 */
export function titleOf(tree: HtmlDocument, roots: readonly HtmlNode[], lastResort: string): string {
  const heading = ownHeading(roots)
  const whole = titleElement(tree)
  if (whole === '') return heading ?? metaTitle(tree) ?? lastResort
  const siteName = metaContent(tree, 'og:site_name')
  const title = withoutSite(whole, heading ?? firstHeading(roots), siteName)
  if (heading === undefined) return title
  if (sharesWords(heading, title) && !isNumbered(heading, title)) {
    // The heading says the same, or more: "Index – U" when the title is only "Index".
    return whole.includes(heading) || !whole.includes(title) || heading.startsWith(title) ? heading : title
  }
  return isNumbered(heading, title)
    ? title
    : whole === siteName || !sharesWords(heading, whole)
      ? heading
      : title
}

function titleElement(tree: HtmlDocument): string {
  const head = findElement(tree, (element) => element.tagName === 'head')
  const found = head && elementsOf(head).find((element) => element.tagName === 'title')
  return found === undefined
    ? ''
    : oneLine(found.childNodes.map((child) => ('value' in child ? child.value : '')).join(''))
}

function metaContent(tree: HtmlDocument, property: string): string | undefined {
  const meta = findElement(
    tree,
    (each) =>
      each.tagName === 'meta' && (attribute(each, 'property') ?? attribute(each, 'name')) === property,
  )
  return (meta && attribute(meta, 'content')?.trim()) || undefined
}

function metaTitle(tree: HtmlDocument): string | undefined {
  return metaContent(tree, 'og:title')
}

/** The only `<h1>` of the text. One that links to another page is the site's; several are chapters. */
function ownHeading(roots: readonly HtmlNode[]): string | undefined {
  const headings: HtmlElement[] = []
  for (const root of roots) {
    for (const element of descendants(root)) if (element.tagName === 'h1') headings.push(element)
  }
  const [only] = headings
  if (only === undefined || headings.length > 1) return undefined
  if (idOf(only) === 'header' || hasClass(only, 'logo', 'site-title', 'site-name')) return undefined
  const link = elementsOf(only).find(
    (child) => child.tagName === 'a' && /^(?:https?:|\/$)/.test(attribute(child, 'href') ?? ''),
  )
  const text = cleanHeading(only)
  if (text === '' || (link !== undefined && lineOf(link) === text)) return undefined
  return text
}

function firstHeading(roots: readonly HtmlNode[]): string | undefined {
  for (const root of roots) {
    const first = findElement(root, (element) => /^h[1-3]$/.test(element.tagName))
    if (first !== undefined) return cleanHeading(first) || undefined
  }
  return undefined
}

/** Text of a heading without permalinks. */
function cleanHeading(heading: HtmlElement): string {
  const collect = (node: HtmlNode): string => {
    if ('value' in node) return node.value
    if (!('childNodes' in node)) return ''
    if ('tagName' in node && isMark(node)) return ''
    return node.childNodes.map(collect).join('')
  }
  return withoutMarksAtEnd(oneLine(collect(heading)))
}

/**
 * `Install
 * ` becomes `Install`.
 */
function withoutMarksAtEnd(text: string): string {
  let end = text.length
  // 🔗 is two UTF-16 units.
  while (end > 0 && MARKS.has(text.slice(end - 1, end))) end -= 1
  if (text.slice(end - 2, end) === '🔗') end -= 2
  return text.slice(0, end).trimEnd()
}

const MARKS = new Set(['¶', '#', '§', '\u200B'])

function isMark(element: HtmlElement): boolean {
  if (['button', 'script', 'style', 'svg', 'title'].includes(element.tagName)) return true
  if (hasClass(element, 'headerlink', 'header-anchor', 'hash-link', 'sr-only', 'visually-hidden')) return true
  return element.tagName === 'a' && attribute(element, 'aria-hidden') === 'true'
}

function withoutSite(whole: string, heading: string | undefined, siteName: string | undefined): string {
  if (heading !== undefined && whole.startsWith(heading) && SEPARATED.test(whole.slice(heading.length)))
    return heading
  if (siteName !== undefined && whole.endsWith(siteName) && whole !== siteName) {
    const cut = whole
      .slice(0, -siteName.length)
      .trimEnd()
      .replace(/(?:[|—–·•»:]|::|-)$/, '')
      .trim()
    if (cut !== '') return cut
  }
  const parts = whole.split(SEPARATOR)
  // " - " and ": " also occur within titles; without further evidence, cut only at characters that are not used in sentences.
  const isCertain = / (?:[|—·•»]|::) /.test(whole)
  if (parts.length < 2 || !isCertain) return whole
  const last = whole.lastIndexOf(parts.at(-1) ?? '')
  return (
    whole
      .slice(0, last)
      .trimEnd()
      .replace(/(?:[|—–·•»:]|::|-)$/, '')
      .trim() || whole
  )
}

/** A numbered chapter heading ("1. Overview") is only a title if `<title>` says the same. */
function isNumbered(heading: string, title: string): boolean {
  return /^\d+(?:\.\d+)*\.?\s/.test(heading) && !heading.endsWith(title)
}

function sharesWords(one: string, other: string): boolean {
  const words = new Set(one.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))
  return (other.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).some((word) => words.has(word))
}

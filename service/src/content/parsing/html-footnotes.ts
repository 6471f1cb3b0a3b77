import {
  attribute,
  classesOf,
  findElement,
  hasClass,
  lineOf,
  type HtmlElement,
  type HtmlNode,
} from './html-tree.ts'

/** A number or a sign, in brackets or not: all that the mark of a footnote shows. */
const MARK = /^[[(]?(?:\d{1,4}|[a-z]|[ivx]{1,5}|[*†‡§↩↑⤴^⇑])[\])]?\uFE0E?\uFE0F?$/iu

/** Roles and classes of references to footnotes and of the way back. */
const ROLES = /^doc-(?:noteref|biblioref|backlink)$/
const CLASSES =
  /^(?:footnote(?:-?ref(?:erence)?|-?back(?:ref|link)?)?|fn-?(?:ref|back(?:ref)?)?|noteref|data-footnote-.+|citation-?reference|reversefootnote)$/i
/** Fragments that writers of pages give to footnotes and references to them. */
const FRAGMENT =
  /#(?:user-content-)?_?(?:fn|ftn|edn|footnote|endnote|noteref|cite[_-]?(?:note|ref))(?:def|ref)?[-_.:\d]/i

/** What stands around the marks themselves: the list of places that a footnote is referred to from, and its number. */
const isAround = (element: HtmlElement) =>
  hasClass(element, 'mw-cite-backlink', 'backrefs', 'fn-backref') ||
  (hasClass(element, 'label') && findElement(element, isLinkOfMark) !== undefined)

function isLinkOfMark(element: HtmlElement): boolean {
  if (element.tagName !== 'a' || !MARK.test(lineOf(element))) return false
  const address = attribute(element, 'href')
  if (address?.includes('#') !== true) return false
  if (ROLES.test(attribute(element, 'role') ?? '') || FRAGMENT.test(address)) return true
  return classesOf(element).some((name) => CLASSES.test(name)) || isRaised(element) || beginsBlock(element)
}

const isRaised = ({ parentNode }: HtmlElement) =>
  parentNode !== null && 'tagName' in parentNode && parentNode.tagName === 'sup'

/** A number in brackets that a footnote itself begins with, linked to where it is referred to: `[20] See …` in DocBook. */
function beginsBlock(link: HtmlElement): boolean {
  if (!/^[[(]/.test(lineOf(link))) return false
  let node: HtmlNode = link
  for (let depth = 0; depth < 3; depth += 1) {
    const { parentNode }: { parentNode: HtmlNode | null } = node as HtmlElement
    if (parentNode === null || !('childNodes' in parentNode)) return false
    const before = parentNode.childNodes.slice(0, parentNode.childNodes.indexOf(node as HtmlElement))
    if (before.some((each) => lineOf(each) !== '')) return false
    if ('tagName' in parentNode && ['p', 'div', 'li', 'td', 'dd', 'dt'].includes(parentNode.tagName))
      return true
    node = parentNode
  }
  return false
}

/**
 * Whether an element is no more than the number of a footnote or the way back from one. In a passage it would lead nowhere, and in an answer
 * a reader would take its number for that of a citation.
 */
export const isFootnoteMark = (element: HtmlElement): boolean => {
  if (isLinkOfMark(element) || isAround(element)) return true
  if (element.tagName !== 'sup') return false
  const link = findElement(element, ({ tagName }) => tagName === 'a')
  return link !== undefined && MARK.test(lineOf(element)) && isLinkOfMark(link)
}

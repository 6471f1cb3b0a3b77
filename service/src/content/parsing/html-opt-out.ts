import { attribute, childrenOf, isElement, type HtmlElement, type HtmlNode } from './html-tree.ts'

/** How the author of a page marks what is not for answers: `<section data-citewell="ignore">`. */
const isOptedOut = (element: HtmlElement): boolean =>
  element.attrs.length > 0 && attribute(element, 'data-citewell')?.trim().toLowerCase() === 'ignore'

/** Without it, no element of a page is marked. */
const MARK = /data-citewell/i

/** A mark on one of these is about the whole page. */
const WHOLE = new Set(['html', 'body'])

/**
 * Takes the elements that are marked `data-citewell="ignore"` out of the tree of a page.
 *
 * @returns whether there were any, and whether one of them is the page itself, which then stays as it is
 */
export function takeOptedOut(tree: HtmlNode, html: string): { isAny: boolean; isWhole: boolean } {
  if (!MARK.test(html)) return { isAny: false, isWhole: false }
  let isAny = false
  let isWhole = false
  // An explicit stack, as the tree may be deep.
  const ahead: HtmlNode[] = [tree]
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    const children = childrenOf(node)
    const kept = children.filter((child) => {
      if (!isElement(child) || !isOptedOut(child)) return true
      isAny = true
      isWhole ||= WHOLE.has(child.tagName)
      return WHOLE.has(child.tagName)
    })
    if (kept.length < children.length && 'childNodes' in node)
      node.childNodes = kept as typeof node.childNodes
    for (const child of kept) if (isElement(child)) ahead.push(child)
  }
  return { isAny, isWhole }
}

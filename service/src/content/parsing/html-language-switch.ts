import { attribute, childrenOf, descendants, isElement, isText, relOf } from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'

/** How much a switch says besides its links, in characters: "Available languages: ", bars between the links. */
const MAX_TEXT = 60
/** Links of a switch. More are no choice of a language, and take time to read at each level. */
const MAX_LINKS = 100
/** How far above a link its switch is: a list in a box, and the item of the link. */
const MAX_LEVELS = 4

const FRAMES = new Set(['body', 'main', 'article', 'section', 'html'])

const isAlternate = (element: HtmlElement) =>
  attribute(element, 'hreflang') !== undefined && relOf(element).includes('alternate')

/** Whether a page may have one: most have none, and are not read for it. */
export const mayHoldLanguageSwitch = (html: string): boolean => html.includes('hreflang')

/**
 * Elements that lead to the page in other languages, and say nothing else: most of their links are declared as the same page in another
 * language (`rel="alternate" hreflang`, https://html.spec.whatwg.org/multipage/links.html#rel-alternate). They are in the text of a page where
 * its site does not mark them as navigation.
 */
export function languageSwitches(nodes: readonly HtmlNode[]): ReadonlySet<HtmlElement> {
  const judged = new Map<HtmlElement, boolean>()
  const isSwitch = (element: HtmlElement) => {
    const known = judged.get(element) ?? isOnlyLanguages(element)
    judged.set(element, known)
    return known
  }
  for (const link of nodes.flatMap(alternatesOf)) {
    let above: HtmlNode | null = link.parentNode
    for (let level = 0; level < MAX_LEVELS && above !== null && isElement(above); level += 1) {
      if (FRAMES.has(above.tagName) || !isSwitch(above)) break
      above = above.parentNode
    }
  }
  return new Set([...judged].filter(([, is]) => is).map(([element]) => element))
}

function alternatesOf(node: HtmlNode): HtmlElement[] {
  return [...descendants(node)].filter((element) => element.tagName === 'a' && isAlternate(element))
}

function isOnlyLanguages(element: HtmlElement): boolean {
  let text = 0
  let alternates = 0
  let others = 0
  const ahead: HtmlNode[] = [element]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (isText(next)) text += next.value.trim().length
    else if (isElement(next) && next.tagName === 'a') {
      if (isAlternate(next)) alternates += 1
      else others += 1
    } else for (const child of childrenOf(next)) ahead.push(child)
    if (text > MAX_TEXT || alternates + others > MAX_LINKS) return false
  }
  return alternates > 0 && alternates >= others
}

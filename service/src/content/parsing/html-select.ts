import { selectAll as select } from 'css-select'
import { attribute, childrenOf, elementsOf, isElement, isText, textOf } from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'
import { ParseFailure } from './parse-failure.ts'

type Test = (element: HtmlElement) => boolean

function findAll(test: Test, nodes: HtmlNode[]): HtmlElement[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return []
    const below = findAll(test, childrenOf(node))
    return test(node) ? [node, ...below] : below
  })
}

function findOne(test: Test, nodes: HtmlNode[]): HtmlElement | null {
  for (const node of nodes) {
    if (!isElement(node)) continue
    const found = test(node) ? node : findOne(test, childrenOf(node))
    if (found !== null) return found
  }
  return null
}

function parentOf(node: HtmlNode): HtmlNode | null {
  return isElement(node) || isText(node) ? node.parentNode : null
}

function withoutNested(nodes: HtmlNode[]): HtmlNode[] {
  const all = new Set(nodes)
  return [...all].filter((node) => {
    for (let up = parentOf(node); up !== null; up = parentOf(up)) if (all.has(up)) return false
    return true
  })
}

/**
 * Elements that a CSS selector matches, in document order, without those inside another match.
 * @throws ParseFailure if the selector is invalid.
 */
export function selectAll(root: HtmlNode, selector: string): HtmlElement[] {
  try {
    const found = select<HtmlNode, HtmlElement>(selector, elementsOf(root), {
      adapter: {
        isTag: isElement,
        existsOne: (test, nodes) => findOne(test, nodes) !== null,
        getAttributeValue: attribute,
        hasAttrib: (element, name) => attribute(element, name) !== undefined,
        getChildren: childrenOf,
        getName: (element) => element.tagName,
        getParent: parentOf,
        getSiblings: (node) => childrenOf(parentOf(node) ?? root),
        getText: textOf,
        removeSubsets: withoutNested,
        findAll,
        findOne,
      },
    })
    return withoutNested(found).filter(isElement)
  } catch (error) {
    throw new ParseFailure(`"${selector}" is not a CSS selector.`, { cause: error })
  }
}

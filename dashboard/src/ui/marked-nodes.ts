import { cloneElement, createElement, isValidElement, type ReactNode, type Ref } from 'react'
import { findWords } from './find-words.ts'

/** Characters of the private use area: no renderer gives them a meaning, and they are taken out again. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']
const SIGNS = /([\uE000\uE001])/
const ALL_SIGNS = /[\uE000\uE001]/g

/** Markdown with signs around these words, if it has them. Signs that a page itself has are left out: they would mark what they please. */
export function withSigns(text: string, words: string | undefined): string {
  const markdown = text.replaceAll(ALL_SIGNS, '')
  const found = words === undefined ? undefined : findWords(markdown, words)
  if (found === undefined) return markdown
  const { from, to } = found
  return `${markdown.slice(0, from)}${OPEN}${markdown.slice(from, to)}${CLOSE}${markdown.slice(to)}`
}

/**
 * Makes what lies between the signs `mark` elements, across all nodes of a document in their order.
 *
 * @param first - gets the first mark
 */
export function createMarker(className: string | undefined, first: Ref<HTMLElement>) {
  let isOpen = false
  let count = 0

  function markText(text: string): ReactNode[] {
    return text.split(SIGNS).flatMap((part): ReactNode[] => {
      if (part === OPEN || part === CLOSE) {
        isOpen = part === OPEN
        return []
      }
      if (part === '' || !isOpen) return part === '' ? [] : [part]
      count += 1
      return [
        createElement(
          'mark',
          { key: `mark-${count}`, className, ref: count === 1 ? first : undefined },
          part,
        ),
      ]
    })
  }

  return function mark(node: ReactNode): ReactNode {
    if (typeof node === 'string') return SIGNS.test(node) || isOpen ? markText(node) : node
    if (Array.isArray(node)) return node.map((one: ReactNode) => mark(one))
    if (!isValidElement<{ children?: ReactNode }>(node) || node.props.children === undefined) return node
    const { children } = node.props
    return Array.isArray(children)
      ? cloneElement(node, {}, ...children.map((one: ReactNode) => mark(one)))
      : cloneElement(node, {}, mark(children))
  }
}

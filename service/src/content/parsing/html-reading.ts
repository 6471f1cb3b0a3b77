import type { Block } from './parsing-blocks.ts'
import type { TabLabels } from './html-tabs.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'

/** What a reader of HTML has to know about the page around it. */
export interface Reading {
  /** Absolute address of a link or image, or nothing where it leads nowhere a reader could go. */
  resolve: (address: string) => string | undefined
  isLeftOut: (element: HtmlElement) => boolean
  /** The page's tabs, where it has any. */
  tabs?: TabLabels | undefined
}

/** What the readers of single elements have of the whole. */
export interface BlockReading extends Reading {
  /** Reads nodes on their own, e.g. a list's item. */
  readNodes: (nodes: readonly HtmlNode[]) => Block[]
  /** The anchor just met above, if nothing has been read since; it is used up. */
  takeAnchor: () => string | undefined
}

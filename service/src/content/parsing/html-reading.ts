import type { Block } from './parsing-blocks.ts'
import type { TabLabels } from './html-tabs.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'

/** The context of the page that readers of HTML elements need. */
export interface Reading {
  /** Absolute address of a link or image; undefined if it leads nowhere a reader can go. */
  resolve: (address: string) => string | undefined
  isLeftOut: (element: HtmlElement) => boolean
  /** The page's tabs, if it has any. */
  tabs?: TabLabels | undefined
}

/** Context for readers of block elements. */
export interface BlockReading extends Reading {
  /** Reads nodes separately, e.g. a list's item. */
  readNodes: (nodes: readonly HtmlNode[]) => Block[]
  /** Takes the last anchor above, if nothing has been read since; it is returned once. */
  takeAnchor: () => string | undefined
}

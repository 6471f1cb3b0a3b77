import { attribute, descendants, findElement, hasClass, idOf, isElement, lineOf } from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'

/** Labels of tab panels, and the tab elements themselves, which contain nothing else. */
export interface TabLabels {
  labelOf: ReadonlyMap<HtmlNode, string>
  tabs: ReadonlySet<HtmlNode>
}

/** How a generator writes a set of tabs. Labels and panels are in the same order. */
interface SetKind {
  isSet(element: HtmlElement): boolean
  isLabel(element: HtmlElement): boolean
  isPanel(element: HtmlElement): boolean
}

const KINDS: SetKind[] = [
  {
    isSet: (element) => hasClass(element, 'vp-code-group'), // VitePress
    isLabel: (element) => element.tagName === 'label',
    isPanel: ({ parentNode }) =>
      parentNode !== null && isElement(parentNode) && hasClass(parentNode, 'blocks'),
  },
  {
    isSet: (element) => hasClass(element, 'tabbed-set'), // Material for MkDocs
    isLabel: (element) => element.tagName === 'label',
    isPanel: (element) => hasClass(element, 'tabbed-block') || isPlainTabbedContent(element),
  },
  {
    isSet: (element) => hasClass(element, 'sd-tab-set'), // sphinx-design
    isLabel: (element) => hasClass(element, 'sd-tab-label'),
    isPanel: (element) => hasClass(element, 'sd-tab-content'),
  },
  {
    // By ARIA roles: Docusaurus, sphinx-tabs, Starlight and many more.
    isSet: (element) => holdsTabList(element) && findElement(element, isRolePanel) !== undefined,
    isLabel: (element) => attribute(element, 'role') === 'tab',
    isPanel: isRolePanel,
  },
]

function isRolePanel(element: HtmlElement): boolean {
  return attribute(element, 'role') === 'tabpanel'
}

function isPlainTabbedContent(element: HtmlElement): boolean {
  if (!hasClass(element, 'tabbed-content')) return false
  return findElement(element, (child) => hasClass(child, 'tabbed-block')) === undefined
}

function holdsTabList(element: HtmlElement): boolean {
  const isList = (child: HtmlNode) => isElement(child) && attribute(child, 'role') === 'tablist'
  // Some wrap the list in one more element.
  return element.childNodes.some(
    (child) => isList(child) || (isElement(child) && child.childNodes.some(isList)),
  )
}

/** Finds every set of tabs below `roots`, including panels that are hidden until clicked. */
export function findTabs(roots: readonly HtmlNode[]): TabLabels {
  const labelOf = new Map<HtmlNode, string>()
  const tabs = new Set<HtmlNode>()
  // Inner sets come after outer ones, so that a nested set decides on its own panels.
  for (const root of roots) {
    if (isElement(root)) look(root)
    for (const element of descendants(root)) look(element)
  }

  function look(element: HtmlElement) {
    const kind = element.childNodes.length < 2 ? undefined : KINDS.find((each) => each.isSet(element))
    if (kind !== undefined) pairUp(element, kind)
  }

  function pairUp(set: HtmlElement, kind: SetKind) {
    const labels: HtmlElement[] = []
    const panels: HtmlElement[] = []
    for (const each of descendants(set, (element) => !kind.isPanel(element))) {
      if (kind.isPanel(each)) panels.push(each)
      else if (kind.isLabel(each)) labels.push(each)
    }
    for (const label of labels) tabs.add(label)
    for (const [index, panel] of panels.entries()) {
      const named = attribute(panel, 'aria-labelledby')
      const label = labels.find((each) => named !== undefined && idOf(each) === named) ?? labels[index]
      if (label !== undefined) labelOf.set(panel, lineOf(label))
    }
  }

  return { labelOf, tabs }
}

/** A quick test whether a page may contain tabs: most do not, and searching takes time. */
export function mayHoldTabs(html: string): boolean {
  return /tabpanel|tabbed-set|sd-tab-set|vp-code-group/.test(html)
}

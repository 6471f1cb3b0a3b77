import type { Block } from './parsing-blocks.ts'
import { createBoldTitles } from './html-bold-titles.ts'
import { codeOf, languageOf } from './html-code.ts'
import { inlineMarkdown, labelMarkdown } from './html-inline.ts'
import type { BlockReading, Reading } from './html-reading.ts'
import {
  attribute,
  childrenOf,
  elementsOf,
  findElement,
  hasClass,
  idOf,
  isElement,
  isText,
  lineOf,
  textOf,
} from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'
import { createEntryReader } from './html-entries.ts'
import { createTableReader } from './html-table-blocks.ts'
import { escapeLineStart } from './inline-markdown.ts'
import { renderBlocks } from './render-markdown.ts'

const BLOCK_TAGS = new Set(
  (
    'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot th thead ' +
    'tr ul'
  ).split(' '),
)

/** Reads the contents of `roots` as blocks, in order. */
export function readBlocks(roots: readonly HtmlNode[], page: Reading): Block[] {
  let anchorAbove: string | undefined
  const titles = createBoldTitles()
  const reading: BlockReading = {
    ...page,
    isLeftOut,
    readNodes(nodes) {
      const blocks: Block[] = []
      readInto(blocks, nodes)
      return blocks
    },
    takeAnchor() {
      const anchor = anchorAbove
      anchorAbove = undefined
      return anchor
    },
  }
  const readDefinitions = createEntryReader(reading)
  const readTableInto = createTableReader(reading)

  function isLeftOut(element: HtmlElement): boolean {
    return page.isLeftOut(element) || page.tabs?.tabs.has(element) === true
  }

  function readInto(blocks: Block[], nodes: readonly HtmlNode[]) {
    let run: HtmlNode[] = []
    const endRun = () => {
      if (run.length > 0) writeParagraphs(blocks, run)
      run = []
    }
    for (const node of nodes) {
      if (isText(node)) run.push(node)
      if (!isElement(node) || isLeftOut(node)) continue
      if (isInline(node)) {
        run.push(node)
      } else {
        endRun()
        anchorAbove = anchorOf(node) ?? anchorAbove
        const tab = page.tabs?.labelOf.get(node)
        if (tab) blocks.push({ kind: 'paragraph', markdown: `**${tab.replaceAll(/[*\\]/g, '')}**` })
        readElement(blocks, node)
      }
    }
    endRun()
  }

  function writeParagraphs(blocks: Block[], run: readonly HtmlNode[]) {
    const markdown = inlineMarkdown(run, page)
    if (markdown === '') {
      for (const node of run) if (isElement(node)) anchorAbove = anyAnchor(node) ?? anchorAbove
      return
    }
    const anchor = run.reduce(
      (above, node) => (isElement(node) ? anyAnchor(node) : undefined) ?? above,
      reading.takeAnchor(),
    )
    const paragraphs = markdown.split(/\n{2,}/)
    for (const paragraph of paragraphs) {
      const text = escapeLineStart(paragraph.trim()).replaceAll('\n', '  \n')
      if (text === '') continue
      const block = { kind: 'paragraph' as const, markdown: text }
      if (paragraphs.length === 1) titles.noteAnchor(block, anchor)
      blocks.push(block)
    }
  }

  function readElement(blocks: Block[], element: HtmlElement) {
    const tag = element.tagName
    const depth = headingDepth(element)
    if (depth !== undefined) readHeading(blocks, element, depth)
    else if (LISTS.has(tag)) readList(blocks, element)
    else if (LABELS.has(tag) || hasClass(element, 'admonition-title', 'custom-block-title'))
      readLabel(blocks, element)
    else if (tag === 'pre') readCode(blocks, element)
    else if (tag === 'dl') readDefinitions(blocks, element)
    else if (tag === 'table') readTableInto(blocks, element)
    else if (tag === 'blockquote') readQuote(blocks, element)
    else readContainer(blocks, element)
  }

  function readContainer(blocks: Block[], element: HtmlElement) {
    const title = COMPONENTS.has(element.tagName) ? componentTitle(element) : undefined
    if (title !== undefined)
      blocks.push({ kind: 'paragraph', markdown: `**${title.replaceAll(/[*\\]/g, '')}**` })
    readInto(blocks, childrenOf(element))
  }

  function readHeading(blocks: Block[], element: HtmlElement, depth: number) {
    const anchor = idOf(element) ?? markedAnchor(element) ?? anyAnchor(element) ?? reading.takeAnchor()
    anchorAbove = undefined
    const text = labelMarkdown(childrenOf(element), page).replaceAll(/(?<!\\)\*\*?/g, '')
    if (text !== '') blocks.push({ kind: 'heading', depth, text, anchor })
  }

  function readLabel(blocks: Block[], element: HtmlElement) {
    const text = labelMarkdown(childrenOf(element), page).replaceAll(/(?<!\\)\*\*?/g, '')
    if (text !== '') blocks.push({ kind: 'paragraph', markdown: `**${text}**` })
  }

  function readCode(blocks: Block[], element: HtmlElement) {
    const code = codeOf(element)
    anchorAbove = undefined
    if (code !== '') blocks.push({ kind: 'code', language: languageOf(element), code })
  }

  function readList(blocks: Block[], element: HtmlElement) {
    // Cards and the like: lists whose items are sections with their own headings and anchors.
    if (findElement(element, (child) => headingDepth(child) !== undefined) !== undefined) {
      readInto(blocks, elementsOf(element).flatMap(childrenOf))
      return
    }
    const items = childrenOf(element)
      .filter((child) => isElement(child) && !isLeftOut(child))
      .map((child) => renderItem(child))
      .filter((item) => item !== '')
    anchorAbove = undefined
    if (items.length > 0) blocks.push({ kind: 'list', items, ...orderOf(element) })
  }

  function renderItem(item: HtmlNode): string {
    const isItem = isElement(item) && item.tagName === 'li'
    const blocks = reading.readNodes(isItem ? childrenOf(item) : [item])
    const box = isItem ? findElement(item, (child) => attribute(child, 'type') === 'checkbox') : undefined
    const mark = box === undefined ? '' : attribute(box, 'checked') === undefined ? '[ ] ' : '[x] '
    return mark + renderTight(blocks)
  }

  function readQuote(blocks: Block[], element: HtmlElement) {
    for (const block of reading.readNodes(childrenOf(element))) {
      blocks.push(
        block.kind === 'paragraph' && !block.markdown.startsWith('**')
          ? { kind: 'paragraph', markdown: block.markdown.replaceAll(/^/gm, '> ') }
          : block,
      )
    }
  }

  return titles.readTitles(reading.readNodes(roots))
}

/** Blocks of one list item: a nested list follows its line directly. */
function renderTight(blocks: readonly Block[]): string {
  return renderBlocks(blocks).replaceAll(/\n\n(?=(?:- |\d{1,9}\. ))/g, '\n')
}

/** Whether a list is numbered, and from where: `<ol start="4">` goes on behind what interrupts it. */
function orderOf(list: HtmlElement): { isOrdered: boolean; start?: number } {
  const isOrdered = list.tagName === 'ol'
  const start = attribute(list, 'start') ?? ''
  return isOrdered && /^\d{1,8}$/.test(start) ? { isOrdered, start: Number(start) } : { isOrdered }
}

const LISTS = new Set(['ul', 'ol', 'menu', 'dir'])
const LABELS = new Set(['summary', 'legend', 'caption'])

/** Components of MDX and Vue that contain text. */
const COMPONENTS = new Set(
  (
    'tab tabitem tabs card cardgrid cardgroup step steps accordion accordiongroup callout note tip warning caution danger ' +
    'info important admonition expandable codegroup collapsible frame aside details'
  ).split(' '),
)
const NOTICES = new Set('note tip warning caution danger info important'.split(' '))

/** The label of a component: its title or label, or, for a notice, its kind. */
function componentTitle(element: HtmlElement): string | undefined {
  const tag = element.tagName
  if (tag === 'details' || tag === 'aside') return undefined
  const title = attribute(element, 'label') ?? attribute(element, 'title')
  if (title !== undefined) return title
  const kind = NOTICES.has(tag) ? tag : attribute(element, 'type')
  return kind !== undefined && NOTICES.has(kind) ? kind.charAt(0).toUpperCase() + kind.slice(1) : undefined
}

function headingDepth(element: HtmlElement): number | undefined {
  if (/^h[1-6]$/.test(element.tagName)) return Number(element.tagName[1])
  return attribute(element, 'role') === 'heading'
    ? Number(attribute(element, 'aria-level') ?? 2) || 2
    : undefined
}

function isInline(element: HtmlElement): boolean {
  if (BLOCK_TAGS.has(element.tagName) || attribute(element, 'role') === 'heading') return false
  return !(COMPONENTS.has(element.tagName) && componentTitle(element) !== undefined) && !holdsBlock(element)
}

function holdsBlock(element: HtmlElement): boolean {
  for (const child of element.childNodes) {
    if (isElement(child) && (BLOCK_TAGS.has(child.tagName) || holdsBlock(child))) return true
  }
  return false
}

function anchorOf(element: HtmlElement): string | undefined {
  return idOf(element) ?? (element.tagName === 'a' ? attribute(element, 'name') || undefined : undefined)
}

/** The last anchor within an element that has no text. */
function anyAnchor(element: HtmlElement): string | undefined {
  let anchor = anchorOf(element)
  for (const child of elementsOf(element)) anchor = anyAnchor(child) ?? anchor
  return anchor
}

/** The target of the permalink beside a heading, or of the link that is the whole heading: the fragment that readers copy. */
function markedAnchor(heading: HtmlElement): string | undefined {
  const links = elementsOf(heading).filter(
    (child) => child.tagName === 'a' && attribute(child, 'href')?.startsWith('#'),
  )
  // Headings may also link to what they name, e.g. to the class that a section describes.
  const mark = links.find(isMark) ?? links.find((link) => lineOf(link) === lineOf(heading))
  const fragment = mark && attribute(mark, 'href')?.slice(1)
  if (!fragment) return undefined
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function isMark(link: HtmlElement): boolean {
  return !/[\p{L}\p{N}]/u.test(textOf(link)) || hasClass(link, 'headerlink', 'header-anchor', 'anchor')
}

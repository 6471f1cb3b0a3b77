import { serialize } from 'parse5'
import { decodeText } from './charset.ts'
import { textLengthOf, withoutTitleText } from './document-text.ts'
import { readBlocks } from './html-blocks.ts'
import { isBoilerplate } from './html-boilerplate.ts'
import { findContentRoot, proseLength, type ContentRoot } from './html-content-root.ts'
import { languageSwitches, mayHoldLanguageSwitch } from './html-language-switch.ts'
import { readableArticle } from './html-readability.ts'
import { createResolve, metadataOf, readDeclared, type Resolve } from './html-metadata.ts'
import { takeOptedOut } from './html-opt-out.ts'
import { findTabs, mayHoldTabs } from './html-tabs.ts'
import { titleOf } from './html-title.ts'
import { attribute, elementsOf, findElement, parseTree, type HtmlDocument } from './html-tree.ts'
import { languageTag } from './language-tag.ts'
import { lastSegment } from './last-segment.ts'
import { ParseFailure } from './parse-failure.ts'
import type { Block, ParsedPage, ParseInput } from './parsing-blocks.ts'

/** If less text than this is left of a page, its tables of contents are its content. */
const MIN_TEXT_LENGTH = 200

/** Reads an HTML page: its text, and its declarations for crawlers. Links in parts that are not for answers are followed, as those of menus. */
export function parseHtml(input: ParseInput): ParsedPage {
  const sent = decodeText(input.bytes, { charset: input.charset, mayDeclare: true })
  const tree = parseTree(sent)
  const body = findElement(tree, (element) => element.tagName === 'body' || element.tagName === 'frameset')
  if (body === undefined) throw new ParseFailure('The page has no body.')
  const resolve = createResolve(tree, input.url)
  const declared = readDeclared(tree, resolve)
  const optedOut = takeOptedOut(tree, sent)
  const html = optedOut.isAny ? serialize(tree) : sent
  const root = findContentRoot(tree, body, input.contentSelector)
  const blocks = optedOut.isWhole ? [] : readContent({ root, resolve, html, url: input.url })
  const title = titleOf(tree, root.elements, lastSegment(input.url))
  const document = { title, language: languageOf(tree), blocks: withoutTitleText(blocks, title) }
  const textLength = textLengthOf(document.blocks)
  const page = metadataOf(declared, textLength)
  return { document, textLength, page: { ...page, noindex: page.noindex || optedOut.isWhole } }
}

/** Reads HTML generated from a document of another format: all of it is content. */
export function readFragment(html: string, url: string): Block[] {
  const tree = parseTree(html)
  if (takeOptedOut(tree, html).isWhole) return []
  const root = { elements: elementsOf(tree), isWholeBody: false }
  return readRoot({ html, url, root, resolve: createResolve(tree, url) }, true)
}

/** If at least this share of a page's text is in links, it is mostly navigation. */
const MOSTLY_LINKS_SHARE = 0.5
/** A page with less text outside of links is taken for a list of links and kept as a whole. */
const MIN_PROSE_LENGTH = 1000

interface Content {
  html: string
  url: string
  root: ContentRoot
  resolve: Resolve
}

function readContent(page: Content): Block[] {
  const blocks = readRoot(page, false)
  const length = textLengthOf(blocks)
  if (length < MIN_TEXT_LENGTH) {
    const all = readRoot(page, true)
    if (textLengthOf(all) > length) return all
  }
  if (!page.root.isWholeBody) return blocks
  const prose = page.root.elements.reduce((sum, element) => sum + proseLength(element), 0)
  if (prose < MIN_PROSE_LENGTH || prose > length * MOSTLY_LINKS_SHARE) return blocks
  const article = readableArticle(page.html)
  const found = article === undefined ? [] : readFragment(article, page.url)
  // Readability may only remove what surrounds the text.
  return textLengthOf(found) >= prose ? found : blocks
}

function readRoot({ html, root, resolve }: Content, keepsContents: boolean): Block[] {
  const pruning = { isWholeBody: root.isWholeBody, keepsContents }
  const nodes = root.elements.flatMap((element) => element.childNodes)
  const tabs = mayHoldTabs(html) ? findTabs(nodes) : undefined
  const switches = !keepsContents && mayHoldLanguageSwitch(html) ? languageSwitches(nodes) : undefined
  return readBlocks(nodes, {
    resolve,
    tabs,
    isLeftOut: (element) => isBoilerplate(element, pruning) || switches?.has(element) === true,
  })
}

function languageOf(tree: HtmlDocument): string | undefined {
  const html = findElement(tree, (element) => element.tagName === 'html')
  return html && languageTag(attribute(html, 'lang') ?? attribute(html, 'xml:lang'))
}

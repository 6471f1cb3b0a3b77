import {
  attribute,
  childrenOf,
  elementsOf,
  isElement,
  isText,
  parseTree,
  textOf,
  type HtmlElement,
  type HtmlNode,
} from './html-tree.ts'
import { ParseFailure } from './parse-failure.ts'
import { codeHtml, escapeHtml, linkHtml, tag } from './write-html.ts'

/** Characters of the body of a page; Confluence itself has trouble to show longer ones. */
const MAX_CHARACTERS = 4_000_000

/** Where the page is: its links name pages by their title. */
export interface StoragePlace {
  /** Address of Confluence, without a slash at its end. */
  site: string
  /** Key of the space of the page. */
  space: string
}

/** Elements of HTML that have no end. */
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr'])

/** Attributes of HTML that mean something to a reader. */
const KEPT_ATTRIBUTES = new Set(['colspan', 'rowspan', 'start'])

/** Macros that show something from elsewhere, or nothing. */
const SILENT_MACROS = new Set(
  (
    'toc toc-zone children pagetree pagetreesearch recently-updated contentbylabel livesearch attachments anchor ' +
    'blog-posts change-history contributors contributors-summary gallery favpages space-attachments profile-picture ' +
    'excerpt-include include viewpdf viewfile profile create-from-template detailssummary tasks-report-macro'
  ).split(' '),
)

/** Macros that frame what they contain. */
const FRAMES = new Set(['info', 'note', 'tip', 'warning', 'panel', 'success', 'error', 'decision'])

/** Parts of elements that are not text: settings, identifiers, what is shown where the rest cannot be. */
const SILENT_ELEMENTS = new Set(
  (
    'ac:parameter ac:task-id ac:task-uuid ac:task-status ac:placeholder ac:adf-attribute ac:adf-fallback ' +
    'ri:page ri:user ri:attachment ri:url ri:space ri:content-entity ri:blog-post ri:shortcut script style template'
  ).split(' '),
)

/** Turns parts of XML that HTML does not have into HTML: CDATA sections, and elements that end in their own tag. */
function asHtml(storage: string): string {
  let html = ''
  let at = 0
  for (;;) {
    const start = storage.indexOf('<![CDATA[', at)
    if (start === -1) break
    const end = storage.indexOf(']]>', start)
    html += storage.slice(at, start) + escapeHtml(storage.slice(start + 9, end === -1 ? undefined : end))
    at = end === -1 ? storage.length : end + 3
  }
  html += storage.slice(at)
  return html.replaceAll(
    /<([a-z][\w:-]*)(\s[^<>]*)?\/>/gi,
    (whole, name: string, attributes: string | undefined) =>
      VOID.has(name.toLowerCase()) ? whole : `<${name}${attributes ?? ''}></${name}>`,
  )
}

/** Half a character, which a server can send, has no escape. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

const partOf = (element: HtmlElement, name: string): HtmlElement | undefined =>
  elementsOf(element).find(({ tagName }) => tagName === name)

const parameterOf = (macro: HtmlElement, name: string): string => {
  const found = elementsOf(macro).find(
    (part) => part.tagName === 'ac:parameter' && attribute(part, 'ac:name') === name,
  )
  return found === undefined ? '' : textOf(found).trim()
}

/**
 * The body of a page as HTML that readers of HTML understand. Macros that are not known give their text.
 *
 * @param storage in Confluence's storage format (XHTML with elements of its own)
 * @throws ParseFailure if it is too long or nested too deep
 */
export function storageToHtml(storage: string, place: StoragePlace): string {
  if (storage.length > MAX_CHARACTERS)
    throw new ParseFailure(`The page is longer than ${MAX_CHARACTERS} characters.`)
  const inside = (node: HtmlNode): string => childrenOf(node).map(write).join('')

  function write(node: HtmlNode): string {
    if (isText(node)) return escapeHtml(node.value)
    if (!isElement(node)) return ''
    const name = node.tagName
    if (SILENT_ELEMENTS.has(name)) return ''
    const writer = WRITERS.get(name)
    if (writer !== undefined) return writer(node)
    if (name.includes(':')) return inside(node)
    if (VOID.has(name)) return name === 'img' ? '' : `<${name}>`
    if (name === 'a') return linkHtml(attribute(node, 'href') ?? '', inside(node))
    const kept = node.attrs.filter((one) => KEPT_ATTRIBUTES.has(one.name))
    return tag(name, inside(node), Object.fromEntries(kept.map((one) => [one.name, one.value])))
  }

  const writers: Record<string, (element: HtmlElement) => string> = {
    'ac:structured-macro': macro,
    'ac:macro': macro,
    'ac:link': link,
    'ac:image': (image) => {
      const caption = partOf(image, 'ac:caption')
      const words = caption === undefined ? escapeHtml(attribute(image, 'ac:alt') ?? '') : inside(caption)
      return words.trim() === '' ? '' : tag('p', words)
    },
    'ac:emoticon': (emoticon) => escapeHtml(attribute(emoticon, 'ac:emoji-fallback') ?? ''),
    'ac:task-list': (list) => tag('ul', inside(list)),
    'ac:task': (task) => {
      const status = partOf(task, 'ac:task-status')
      const isDone = status !== undefined && textOf(status).trim() === 'complete'
      return tag('li', `${isDone ? '☑' : '☐'} ${inside(task)}`)
    },
    'ac:adf-node': (node) =>
      attribute(node, 'type') === 'panel' ? tag('blockquote', inside(node)) : inside(node),
    'ac:plain-text-body': (body) => tag('pre', escapeHtml(textOf(body))),
    'ac:plain-text-link-body': (body) => escapeHtml(textOf(body)),
    time: (time) => escapeHtml(textOf(time).trim() || (attribute(time, 'datetime') ?? '')),
  }

  const WRITERS = new Map(Object.entries(writers))

  function macro(element: HtmlElement): string {
    const name = (attribute(element, 'ac:name') ?? '').toLowerCase()
    if (SILENT_MACROS.has(name)) return ''
    const plain = partOf(element, 'ac:plain-text-body')
    const title = escapeHtml(parameterOf(element, 'title'))
    const heading = title === '' ? '' : tag('p', tag('strong', title))
    if (name === 'code' || name === 'noformat')
      return heading + codeHtml(plain === undefined ? '' : textOf(plain), parameterOf(element, 'language'))
    if (name === 'status') return title
    if (name === 'jira') return escapeHtml(parameterOf(element, 'key'))
    return FRAMES.has(name) ? tag('blockquote', heading + inside(element)) : heading + inside(element)
  }

  /** A link to a page has its title and the key of its space; its id is not told. */
  function link(element: HtmlElement): string {
    const page = partOf(element, 'ri:page')
    const title = page === undefined ? '' : (attribute(page, 'ri:content-title') ?? '')
    const attachment = partOf(element, 'ri:attachment')
    const file = attachment === undefined ? '' : (attribute(attachment, 'ri:filename') ?? '')
    // Who it is stays in Confluence.
    const person = partOf(element, 'ri:user') === undefined ? '' : '@someone'
    // Written once: links within links would double the work at each level.
    const given = inside(element)
    const words = given.trim() === '' ? escapeHtml(title || file || person) : given
    if (page === undefined || title === '') return words
    const space = attribute(page, 'ri:space-key') ?? place.space
    return linkHtml(`${place.site}/display/${escaped(space)}/${escaped(title).replaceAll('%20', '+')}`, words)
  }

  const tree = parseTree(`<!doctype html><body>${asHtml(storage)}`)
  const html = elementsOf(tree).find(({ tagName }) => tagName === 'html')
  const body = html === undefined ? undefined : partOf(html, 'body')
  return body === undefined ? '' : inside(body)
}

import { markWords, type CitedWords, type Marked } from './mark-words.ts'
import { titleAsHeading, removeEmptyTableHeaders } from './passage-tokens.ts'
import { createWriter, parsePassageMarkdown, type MarkdownToken } from './markdown-parser.ts'

/** Longest text that is parsed as Markdown; passages are shorter. Longer text is shown as plain text. */
const MAX_CHARACTERS = 8_000
/** With more Markdown characters a passage is not normal prose, and is shown as plain text. */
const MAX_SIGNS = 2_000
/** Longer text is truncated. */
const MAX_SHOWN = 50_000

const SIGNS = /[*_~[\]<>`!\\|]/g

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '')

interface Writing {
  marked: ReadonlyMap<MarkdownToken, Marked>
  /** Anchor at the start of the marked words, until it is written. */
  place: string | undefined
  /** For each open link, whether it was written. */
  links: boolean[]
}

function mark(text: string, env: Writing): string {
  const id = env.place === undefined ? '' : ` id="${escape(env.place)}"`
  env.place = undefined
  return `<mark${id}>${escape(text)}</mark>`
}

function words(token: MarkdownToken | undefined, env: Writing): string {
  if (token === undefined) return ''
  const { content } = token
  const { start, end } = env.marked.get(token) ?? { start: 0, end: 0 }
  if (start >= end) return escape(content)
  return escape(content.slice(0, start)) + mark(content.slice(start, end), env) + escape(content.slice(end))
}

/** Web pages and mail addresses only: no other schemes. */
const isSafeLink = (address: string) =>
  /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address) && address.length < 4_000

const opening = (address: string) => `<a href="${escape(address)}" rel="nofollow noopener noreferrer ugc">`

/** All markup that a passage may produce: tokens without a rule here use the renderer's defaults, which write no attributes. */
const writer = createWriter()
Object.assign(writer.rules, {
  text: (tokens, at, _options, env: Writing) => words(tokens[at], env),
  code_inline: (tokens, at, _options, env: Writing) => `<code>${words(tokens[at], env)}</code>`,
  code_block: (tokens, at, _options, env: Writing) => block(words(tokens[at], env)),
  fence: (tokens, at, _options, env: Writing) => block(words(tokens[at], env)),
  link_open: (tokens, at, _options, env: Writing) => {
    const address = tokens[at]?.attrGet('href') ?? ''
    const isWritten = isSafeLink(address) && !env.links.includes(true)
    env.links.push(isWritten)
    return isWritten ? opening(address) : ''
  },
  link_close: (_tokens, _at, _options, env: Writing) => (env.links.pop() === true ? '</a>' : ''),
  // Images are not loaded: the alternative text links to them.
  image: (tokens, at, options, env: Writing) => {
    const token = tokens[at]
    const alt = escape(writer.renderInlineAsText(token?.children ?? [], options, env))
    const address = token?.attrGet('src') ?? ''
    return isSafeLink(address) && !env.links.includes(true) && alt !== ''
      ? `${opening(address)}${alt}</a>`
      : alt
  },
  // Scrolls separately on a small screen, also with the keyboard.
  table_open: () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>',
  table_close: () => '</table></div>',
  hardbreak: () => '<br>',
} satisfies Partial<typeof writer.rules>)
// Start numbers of lists are kept; alignment, classes and ids are not.
writer.renderAttrs = ({ tag, attrs }) => {
  const start = tag === 'ol' ? attrs?.find(([name]) => name === 'start')?.[1] : undefined
  return start !== undefined && /^\d{1,9}$/.test(start) ? ` start="${start}"` : ''
}

const block = (written: string) => `<pre><code>${written.replace(/\n$/, '')}</code></pre>\n`

/** Headings of the text are below those of the page. */
const setHeadingLevel = (tokens: MarkdownToken[], level: number): void => {
  for (const token of tokens) if (token.type.startsWith('heading_')) token.tag = `h${level}`
}

export interface RenderGiven {
  /** Level of headings at the start of the text, or within it. */
  headingLevel: number
  isTitled: boolean
  /** The cited words, if this part is cited. */
  cited: CitedWords | undefined
  /** Anchor at the start of the cited words. */
  place: string | undefined
}

function renderPlain(text: string, { cited, place }: RenderGiven): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()} […]` : text
  const env: Writing = { marked: new Map(), place, links: [] }
  return block(cited === undefined ? escape(shown) : mark(shown, env))
}

/**
 * Renders a part of a passage as inert HTML: no images, no links except to pages and mail addresses, no ids, styles or classes.
 *
 * @returns also whether the cited words were found: otherwise all of it is marked
 */
export function renderPassage(markdown: string, given: RenderGiven): { text: string; isFound: boolean } {
  const signs = markdown.match(SIGNS)?.length ?? 0
  if (markdown.length > MAX_CHARACTERS || signs > MAX_SIGNS)
    return { text: renderPlain(markdown, given), isFound: false }
  const tokens = removeEmptyTableHeaders(parsePassageMarkdown(markdown))
  setHeadingLevel(tokens, given.headingLevel)
  if (given.isTitled) titleAsHeading(tokens, given.headingLevel)
  const { marked, isFound } =
    given.cited === undefined ? { marked: new Map(), isFound: false } : markWords(tokens, given.cited)
  const env: Writing = { marked, place: given.place, links: [] }
  return { text: writer.render(tokens, {}, env), isFound }
}

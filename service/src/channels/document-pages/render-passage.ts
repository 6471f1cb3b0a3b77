import { markWords, type CitedWords, type Marked } from './mark-words.ts'
import { titleAsHeading, withoutEmptyHeads } from './passage-tokens.ts'
import { createWriter, readMarkdown, type MarkdownToken } from './read-markdown.ts'

/** Text up to here is read as Markdown; passages are shorter. Of what is longer, words alone are shown. */
const MOST_CHARACTERS = 8_000
/** So many signs of Markdown in one passage are no writing. */
const MOST_SIGNS = 2_000
/** Words of a longer one are cut. */
const MOST_SHOWN = 50_000

const SIGNS = /[*_~[\]<>`!\\|]/g

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '')

interface Writing {
  marked: ReadonlyMap<MarkdownToken, Marked>
  /** Name of the place where the marked words begin, until it is written. */
  place: string | undefined
  /** For each link that is open: whether it is written out. */
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

/** Pages and mail: whatever else an address may do, it does not do it here. */
const isHarmless = (address: string) =>
  /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address) && address.length < 4_000

const opening = (address: string) => `<a href="${escape(address)}" rel="nofollow noopener noreferrer ugc">`

/** Everything that a passage may become: whatever has no rule here is one of the writer's own, which know no attributes. */
const writer = createWriter()
Object.assign(writer.rules, {
  text: (tokens, at, _options, env: Writing) => words(tokens[at], env),
  code_inline: (tokens, at, _options, env: Writing) => `<code>${words(tokens[at], env)}</code>`,
  code_block: (tokens, at, _options, env: Writing) => block(words(tokens[at], env)),
  fence: (tokens, at, _options, env: Writing) => block(words(tokens[at], env)),
  link_open: (tokens, at, _options, env: Writing) => {
    const address = tokens[at]?.attrGet('href') ?? ''
    const isWritten = isHarmless(address) && !env.links.includes(true)
    env.links.push(isWritten)
    return isWritten ? opening(address) : ''
  },
  link_close: (_tokens, _at, _options, env: Writing) => (env.links.pop() === true ? '</a>' : ''),
  // A picture is fetched from nowhere: its words lead to it.
  image: (tokens, at, options, env: Writing) => {
    const token = tokens[at]
    const alt = escape(writer.renderInlineAsText(token?.children ?? [], options, env))
    const address = token?.attrGet('src') ?? ''
    return isHarmless(address) && !env.links.includes(true) && alt !== ''
      ? `${opening(address)}${alt}</a>`
      : alt
  },
  // Scrolls by itself on a small screen, also by keys.
  table_open: () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>',
  table_close: () => '</table></div>',
  hardbreak: () => '<br>',
} satisfies Partial<typeof writer.rules>)
// Numbers of lists are kept; alignment, classes and names are not.
writer.renderAttrs = ({ tag, attrs }) => {
  const start = tag === 'ol' ? attrs?.find(([name]) => name === 'start')?.[1] : undefined
  return start !== undefined && /^\d{1,9}$/.test(start) ? ` start="${start}"` : ''
}

const block = (written: string) => `<pre><code>${written.replace(/\n$/, '')}</code></pre>\n`

/** Headings of the text itself stand below those of the page. */
const lowered = (tokens: MarkdownToken[], level: number): void => {
  for (const token of tokens) if (token.type.startsWith('heading_')) token.tag = `h${level}`
}

export interface RenderGiven {
  /** Of a title that the text begins with, or has within. */
  headingLevel: number
  isTitled: boolean
  /** Where it is cited. */
  cited: CitedWords | undefined
  /** Name of the place where the cited words begin. */
  place: string | undefined
}

function plainly(text: string, { cited, place }: RenderGiven): string {
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()} […]` : text
  const env: Writing = { marked: new Map(), place, links: [] }
  return block(cited === undefined ? escape(shown) : mark(shown, env))
}

/**
 * A part of a passage as HTML that does nothing but be read: no pictures, no addresses but of pages and mail, no names, styles, classes.
 *
 * @returns also whether the cited words were found: else all of it is marked
 */
export function renderPassage(markdown: string, given: RenderGiven): { text: string; isFound: boolean } {
  const signs = markdown.match(SIGNS)?.length ?? 0
  if (markdown.length > MOST_CHARACTERS || signs > MOST_SIGNS)
    return { text: plainly(markdown, given), isFound: false }
  const tokens = withoutEmptyHeads(readMarkdown(markdown))
  lowered(tokens, given.headingLevel)
  if (given.isTitled) titleAsHeading(tokens, given.headingLevel)
  const { marked, isFound } =
    given.cited === undefined ? { marked: new Map(), isFound: false } : markWords(tokens, given.cited)
  const env: Writing = { marked, place: given.place, links: [] }
  return { text: writer.render(tokens, {}, env), isFound }
}

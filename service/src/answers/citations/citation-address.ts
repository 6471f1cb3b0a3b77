import { isPageOfDocument, passageFragment } from '../../content/addresses/addresses.ts'
import { webAddress } from '../../kernel/uri.ts'
import type { Passage } from '../../content/search/search.ts'

/** Number of words at each end if only the two ends of a passage are named. */
const END_WORDS = 4
/** Maximum number of words of a passage that is named as a whole. */
const WHOLE_WORDS = 10

// A hyphen would be parsed as the marker of a prefix or suffix; the comma is already encoded.
const encode = (words: readonly string[]) =>
  encodeURIComponent(words.join(' ').toWellFormed()).replaceAll('-', '%2D')

/** The words that identify a passage: all of them, or its start and end. */
interface NamedWords {
  from: string[]
  to: string[] | undefined
}

function namedWords(blocks: readonly string[]): NamedWords | undefined {
  const texts = blocks
    .map((block) => block.split(/\s+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)
  const first = texts[0]
  const last = texts.at(-1)
  if (first === undefined || last === undefined) return undefined
  if (texts.length === 1 && first.length <= WHOLE_WORDS) return { from: first, to: undefined }
  return { from: first.slice(0, END_WORDS), to: last.slice(-END_WORDS) }
}

/**
 * Text fragment that makes a browser scroll to a passage and highlight it.
 *
 * @param blocks - the passage as a reader sees it, one text for each block or table cell that it spans
 * @example
 * textFragment(['Keys rotate daily.']) // ':~:text=Keys%20rotate%20daily.'
 */
export function textFragment(blocks: readonly string[]): string {
  const named = namedWords(blocks)
  if (named === undefined) return ''
  const to = named.to === undefined ? '' : `,${encode(named.to)}`
  return `:~:text=${encode(named.from)}${to}`
}

/** A fragment that chooses the page itself: `#/guide/install` of a site whose script shows its pages, `#!/keys`, `#tag/keys/rotate`. */
const isRoute = (hash: string) => hash.startsWith('!') || hash.includes('/')

/**
 * Address of a passage within its page: at its heading, and at its exact words in browsers that support text fragments.
 * Anything but a web address is returned unchanged.
 */
export function citationAddress(url: string, anchor: string | undefined, blocks: readonly string[]): string {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return url
  const [page = url, hash = ''] = url.split('#', 2)
  const hasOwnPlace = anchor === undefined || anchor === '' || isRoute(hash)
  const place = hasOwnPlace ? hash : encodeURI(anchor.toWellFormed())
  const fragment = textFragment(blocks)
  const whole = place === '' && fragment === '' ? page : `${page}#${place}${fragment}`
  return webAddress(whole) ?? whole
}

/** The same for a passage: a document page of this service highlights it itself, in every browser. */
export function passageAddress(
  { url, documentId, chunkId }: Pick<Passage, 'url' | 'documentId' | 'chunkId'>,
  anchor: string | undefined,
  blocks: readonly string[],
): string {
  if (!isPageOfDocument(url, documentId)) return citationAddress(url, anchor, blocks)
  const { from, to } = namedWords(blocks) ?? {}
  const words = [
    ...(from === undefined ? [] : [`&from=${encode(from)}`]),
    ...(to === undefined ? [] : [`&to=${encode(to)}`]),
  ]
  const page = `${url}?passage=${chunkId}${words.join('')}`
  return citationAddress(page, anchor ?? passageFragment(chunkId), blocks)
}

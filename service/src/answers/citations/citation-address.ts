import { isPageOfDocument, passageFragment } from '../../content/addresses/addresses.ts'
import { webAddress } from '../../kernel/uri.ts'
import type { CitedPassage } from './cited-parts.ts'

/** Words of each end when only the two ends of a passage are named. */
const END_WORDS = 4
/** Up to so many words a passage is named whole. */
const WHOLE_WORDS = 10

// A dash would be read as the sign for a prefix or suffix; the comma is encoded already.
const encode = (words: readonly string[]) =>
  encodeURIComponent(words.join(' ').toWellFormed()).replaceAll('-', '%2D')

/** A passage by its words: all of them, or where it begins and ends. */
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
 * Text fragment that makes a browser scroll to a passage and mark it.
 *
 * @param blocks - the passage as a reader sees it, a text for each block or table cell it runs over
 * @example
 * textFragment(['Keys rotate daily.']) // ':~:text=Keys%20rotate%20daily.'
 */
export function textFragment(blocks: readonly string[]): string {
  const named = namedWords(blocks)
  if (named === undefined) return ''
  const to = named.to === undefined ? '' : `,${encode(named.to)}`
  return `:~:text=${encode(named.from)}${to}`
}

/**
 * Address of a passage within its page: at its heading, and at its very words where a browser can do that.
 * Anything but a web address stays as it is.
 */
export function citationAddress(url: string, anchor: string | undefined, blocks: readonly string[]): string {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return url
  const [page = url, hash] = url.split('#', 2)
  const place = anchor === undefined || anchor === '' ? (hash ?? '') : encodeURI(anchor.toWellFormed())
  const fragment = textFragment(blocks)
  const whole = place === '' && fragment === '' ? page : `${page}#${place}${fragment}`
  return webAddress(whole) ?? whole
}

/** The same for a passage: a page of this service marks it and its words itself, in every browser. */
export function passageAddress(
  { url, documentId, chunkId }: Pick<CitedPassage, 'url' | 'documentId' | 'chunkId'>,
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

/** Words of each end when only the two ends of a passage are named. */
const END_WORDS = 4
/** Up to so many words a passage is named whole. */
const WHOLE_WORDS = 10

// A dash would be read as the sign for a prefix or suffix; the comma is encoded already.
const encode = (words: readonly string[]) =>
  encodeURIComponent(words.join(' ').toWellFormed()).replaceAll('-', '%2D')

/**
 * Text fragment that makes a browser scroll to a passage and mark it.
 *
 * @param blocks - the passage as a reader sees it, a text for each block or table cell it runs over
 * @example
 * textFragment(['Keys rotate daily.']) // ':~:text=Keys%20rotate%20daily.'
 */
export function textFragment(blocks: readonly string[]): string {
  const texts = blocks
    .map((block) => block.split(/\s+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)
  const first = texts[0]
  const last = texts.at(-1)
  if (first === undefined || last === undefined) return ''
  if (texts.length === 1 && first.length <= WHOLE_WORDS) return `:~:text=${encode(first)}`
  return `:~:text=${encode(first.slice(0, END_WORDS))},${encode(last.slice(-END_WORDS))}`
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
  return place === '' && fragment === '' ? page : `${page}#${place}${fragment}`
}

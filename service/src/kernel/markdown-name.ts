import { oneLine } from './one-line.ts'

/** Longest name that is shown. */
const LONGEST = 1_000

/**
 * A name that strangers gave (a title, a heading, a label, an address) as Markdown that shows these very words and nothing else,
 * wherever Markdown or HTML is read, or neither: no link, no picture, no tag, no line of its own, no address that becomes a link by
 * itself. For each text in which such a name stands between our own words.
 *
 * @example
 * markdownName('[Keys](https://evil.example) <b>') // '\\[Keys\\](https: //evil.example) &lt;b&gt;'
 */
export function markdownName(name: string): string {
  return (
    oneLine(name, LONGEST)
      // Some readers look for addresses after all else is read, where an escape no longer shows.
      .replaceAll('://', ': //')
      .replaceAll(/www\./gi, 'www .')
      .replaceAll(/(?<=\S)@(?=[\w-]+\.[a-z])/gi, ' @')
      .replaceAll(/[\\`*[\]|~]/g, String.raw`\$&`)
      // Within a word it means nothing: names of functions stay as they are.
      .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
      .replaceAll(/&(?=[a-z#])/gi, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replace(/^[#+=-]/, String.raw`\$&`)
      .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`)
  )
}

/** The same for several names on the way to one place, outermost first. */
export const markdownPath = (names: readonly string[]): string => names.map(markdownName).join(' › ')

/** Longer addresses are nobody's page. */
const LONGEST_ADDRESS = 4_000

/**
 * An address of the web for the middle of a text, or for the brackets of a Markdown link: on one line, and nothing in it ends the link.
 * Undefined for anything but http and https.
 */
export function markdownAddress(address: string): string | undefined {
  const url = address.length > LONGEST_ADDRESS ? null : URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  // Without the name and password that it may have: they only make it look like another site's.
  const behindHost = `${url.pathname}${url.search}${url.hash}`.replaceAll(/[\s()<>[\]\\"'`*|{}^]/g, percent)
  return `${url.protocol}//${url.host}${behindHost}`
}

/** A link to a page, by its name; the name alone where its address is none of the web. */
export function markdownLink(name: string, address: string): string {
  const url = markdownAddress(address)
  return url === undefined ? markdownName(name) : `[${markdownName(name)}](${url})`
}

/** An address for the middle of a text; one that is none of the web as a name. */
export const shownAddress = (address: string): string => markdownAddress(address) ?? markdownName(address)

const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

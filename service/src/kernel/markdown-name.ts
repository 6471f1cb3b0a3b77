import { oneLine } from './one-line.ts'

/** Maximum length of a name that is shown. */
const MAX_LENGTH = 1_000

/**
 * Escapes an untrusted name (a title, a heading, a label, an address) as Markdown that shows exactly these words, in readers of
 * Markdown, HTML or plain text: no links, images, tags or line breaks, and no autolinked addresses. Use it for each untrusted name
 * inside our own text.
 *
 * @example
 * markdownName('[Keys](https://evil.example) <b>') // '\\[Keys\\](https: //evil.example) &lt;b&gt;'
 */
export function markdownName(name: string): string {
  return markdownWords(name)
    .replace(/^[#+=-]/, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`)
}

/** The same for the middle of a line, where "5. Install" begins no list. */
export function markdownWords(name: string): string {
  return (
    oneLine(name, MAX_LENGTH)
      // Some readers autolink addresses after all other parsing, where an escape no longer has an effect.
      .replaceAll('://', ': //')
      .replaceAll(/www\./gi, 'www .')
      .replaceAll(/(?<=\S)@(?=[\w-]+\.[a-z])/gi, ' @')
      .replaceAll(/[\\`*[\]|~]/g, String.raw`\$&`)
      // An underscore within a word has no meaning in Markdown: function names stay as they are.
      .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
      .replaceAll(/&(?=[a-z#])/gi, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  )
}

/** The same for a path of names, outermost first. */
export const markdownPath = (names: readonly string[]): string => names.map(markdownName).join(' › ')

/** Longer addresses are not those of a real page. */
const MAX_ADDRESS_LENGTH = 4_000

/**
 * An http or https address for the middle of a text, or for the brackets of a Markdown link: on one line, without characters that
 * could end the link. Undefined for any other scheme.
 */
export function markdownAddress(address: string): string | undefined {
  const url = address.length > MAX_ADDRESS_LENGTH ? null : URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  // Without user name and password: they can make the address look like another site's.
  const behindHost = `${url.pathname}${url.search}${url.hash}`.replaceAll(/[\s()<>[\]\\"'`*|{}^]/g, percent)
  return `${url.protocol}//${url.host}${behindHost}`
}

/** A link to a page, labelled with its name; the name alone if the address is not http or https. */
export function markdownLink(name: string, address: string): string {
  const url = markdownAddress(address)
  return url === undefined ? markdownName(name) : `[${markdownName(name)}](${url})`
}

/** An address for the middle of a text; an address that is not http or https is escaped as a name. */
export const shownAddress = (address: string): string => markdownAddress(address) ?? markdownName(address)

const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

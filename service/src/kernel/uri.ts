/** An http or https address with only the characters that RFC 3986 allows in a path, query or fragment. */
const WELL_FORMED =
  /^https?:\/\/[\w.:[\]-]+(?:[/?](?:[\w.~:/?@!$&'()*+,;=-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9a-f]{2})*)?$/i

const NOT_ALLOWED = /%(?![0-9a-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]/gi

const escape = (text: string) => text.replaceAll(NOT_ALLOWED, (sign) => encodeURIComponent(sign))

/**
 * A web address in the form that strict parsers accept (RFC 3986), without user name and password; undefined for anything but http and
 * https. A well-formed address is returned unchanged.
 *
 * @example
 * webAddress('https://docs.test/größe?x=a|b') // 'https://docs.test/gr%C3%B6%C3%9Fe?x=a%7Cb'
 * webAddress('guide/running.md') // undefined
 */
export function webAddress(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (WELL_FORMED.test(address)) return address
  const { origin, pathname, search, hash } = url
  return `${origin}${escape(pathname)}${escape(search)}${hash === '' ? '' : `#${escape(hash.slice(1))}`}`
}

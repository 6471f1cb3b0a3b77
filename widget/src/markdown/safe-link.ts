/** Longest address of a link, in characters. */
const LONGEST = 2_000

/** Whether an address is one of the web, complete and without a password in it. */
export function isWebAddress(address: string): boolean {
  const url = address.length <= LONGEST ? URL.parse(address) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** What a page says is an address of its own, or of the web: as it says it, or undefined if it is neither. */
export const addressOf = (said: string): string | undefined =>
  said !== '' && isWebAddress(URL.parse(said, document.baseURI)?.href ?? '') ? said : undefined

/**
 * The address that a link of an answer may have, or undefined: of the web, `mailto:`, a place in this page, or a path of this site.
 * Everything else (`javascript:`, `data:`, `//host`, relative paths of unknown meaning) stays text.
 */
export function linkOf(href: string): string | undefined {
  const address = href.trim().replaceAll('&amp;', '&')
  if (address.length > LONGEST || /[\p{Cc}\s]/u.test(address)) return undefined
  if (isWebAddress(address)) return address
  return /^mailto:[^:]+@[^:]+$/i.test(address) || address.startsWith('#') || /^\/(?![/\\])/.test(address)
    ? address
    : undefined
}

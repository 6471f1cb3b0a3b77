/** Longer addresses lead nowhere. In UTF-16 units. */
const LONGEST = 4_000

/** An address without its fragment, spelled in one way; undefined for anything but web and mail addresses. */
export function plainAddress(address: string): string | undefined {
  const url = address.length > LONGEST ? null : URL.parse(address)
  if (url === null || !/^(https?|mailto):$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}

/** Longer addresses are not those of a real page. In UTF-16 units. */
const MAX_LENGTH = 4_000

/** A normalised address without its fragment; undefined for anything but http, https and mailto. */
export function plainAddress(address: string): string | undefined {
  const url = address.length > MAX_LENGTH ? null : URL.parse(address)
  if (url === null || !/^(https?|mailto):$/.test(url.protocol)) return undefined
  url.hash = ''
  return url.href
}

/** The page of an address: the part after `#` is a place on it, and a slash or `index.html` at the end is none. */
export function pageOfAddress(url: string): string {
  const address = URL.parse(url)
  if (address === null) return url.replace(/#[^]*/, '')
  address.hash = ''
  return address.href.replace(/(?:\/index\.html?|(?<!\/)\/+)$/, '')
}

/** Place, from 1, of the first page that is wanted; undefined if it is not among those found. Each page counts once. */
export function placeOfPage(wanted: readonly string[], found: readonly string[]): number | undefined {
  const pages = new Set(wanted.map(pageOfAddress))
  const place = [...new Set(found.map(pageOfAddress))].findIndex((page) => pages.has(page))
  return place < 0 ? undefined : place + 1
}

/** What a User-Agent header contains, most specific first: most browsers also name the ones that they imitate. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Headers are longer only if somebody made them so. */
const READ_CHARACTERS = 500

/**
 * The browser of a User-Agent header, so that a person recognizes it. Only words from here, never text of the header; null if unknown.
 *
 * @example
 * browserName('Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0') // 'Firefox on Linux'
 */
export function browserName(userAgent: string | undefined): string | null {
  const read = (userAgent ?? '').slice(0, READ_CHARACTERS)
  const nameIn = (known: typeof BROWSERS | typeof SYSTEMS) => known.find(([sign]) => read.includes(sign))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

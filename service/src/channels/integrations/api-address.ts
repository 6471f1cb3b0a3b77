/** What a check says if `apiAddress` finds none. */
export const API_URL_WRONG = 'The setting api_url is not an https address.'

/**
 * The address of a platform's API: `config.api_url` for an instance of its own, else the usual one, if there is one. Only the machine itself is reached
 * without encryption. Undefined if what is set is no such address.
 */
export function apiAddress<Usual extends string | undefined>(
  config: Record<string, unknown>,
  usual: Usual,
): string | Usual | undefined {
  // Null: it was taken away.
  const given = config['api_url'] ?? undefined
  if (given === undefined) return usual
  const url = typeof given === 'string' ? URL.parse(given) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === '127.0.0.1')
  return url !== null && isSafe && url.search === '' && url.hash === ''
    ? url.href.replace(/\/$/, '')
    : undefined
}

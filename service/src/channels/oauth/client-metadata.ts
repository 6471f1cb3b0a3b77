import { hasControlCharacter, LOOPBACK } from './protected-resources.ts'
import { isToolAddress } from './tool-schemes.ts'

/** Maximum length of a tool's name on the consent page. */
const NAME_CHARACTERS = 60

/**
 * Characters that a name must not contain: invisible ones, and those that reverse or break the line (control, format, separator and private
 * characters).
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** Long runs of combining marks. */
const STACKED = /(?<first>\p{M}{2})\p{M}+/gu

/** Scripts whose letters look like those of another one. */
const LOOKALIKES = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/**
 * A tool's own name as harmless text of one line; undefined if nothing remains, or if it mixes scripts to look like another tool. Then its
 * address is shown instead.
 *
 * @example
 * displayName('Edi\u202Etor\n') // 'Editor'
 */
function displayName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const line = name
    .slice(0, 1_000)
    .normalize('NFKC')
    .replaceAll(UNPRINTABLE, ' ')
    .replaceAll(STACKED, '$<first>')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  if (line === '' || LOOKALIKES.filter((script) => script.test(line)).length > 1) return undefined
  const characters = Array.from(line)
  return characters.length <= NAME_CHARACTERS ? line : `${characters.slice(0, NAME_CHARACTERS - 1).join('')}…`
}

/** Whether a code may be sent to an address: https, the reader's own machine, or a scheme that belongs to the tool. */
function isRedirectUriAllowed(address: unknown, toolSchemes: readonly string[]): boolean {
  const url = typeof address === 'string' && !hasControlCharacter(address) ? URL.parse(address) : null
  if (url === null || url.username !== '' || url.password !== '' || url.href.includes('#')) return false
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  return url.protocol === 'https:' || isToolAddress(url, toolSchemes)
}

/**
 * Sanitizes client metadata in place, before anything else reads it, so that it is safe to store and to show. Returns an error message if
 * the metadata is not acceptable. Runs each time a client is read, so that a client stored under older rules has to meet these.
 *
 * @param toolSchemes that are allowed in addition to the built-in ones
 */
export function sanitizeClientMetadata(
  metadata: Record<string, unknown>,
  toolSchemes: readonly string[],
): string | undefined {
  const redirects = [metadata['redirect_uris']].flat()
  if (!redirects.every((address) => isRedirectUriAllowed(address, toolSchemes)))
    return 'redirect_uris must be https, a loopback address, or a scheme of the tool: a known one, or a reversed domain name (com.example.tool:/callback); and must not contain another address'
  metadata['client_name'] = displayName(metadata['client_name'])
  // A client without a secret cannot prove its identity, so the user has to consent to each connection. Only "native" has that effect.
  metadata['application_type'] = 'native'
  // The library would fetch it, for a feature that is not offered.
  delete metadata['sector_identifier_uri']
  return undefined
}

/** Longer addresses of client documents are neither fetched nor shown. */
const ADDRESS_CHARACTERS = 500

/** Whether a client id is the address of a metadata document: https, with a path and without a query. */
export function isDocumentAddress(clientId: string): boolean {
  const url = URL.parse(clientId)
  if (url === null || url.protocol !== 'https:' || clientId.length > ADDRESS_CHARACTERS) return false
  if (hasControlCharacter(clientId)) return false
  return url.pathname !== '/' && url.search === ''
}

import { hasControlCharacter, LOOPBACK } from './protected-resources.ts'
import { isToolAddress } from './tool-schemes.ts'

/** Longer names say more than which tool it is. */
const NAME_CHARACTERS = 60

/** What a name cannot hold: what is not seen, turns the line around, or breaks it (control, format, separator and private characters). */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** Letters that stand on each other without end. */
const STACKED = /(?<first>\p{M}{2})\p{M}+/gu

/** Alphabets whose letters look like those of another one. */
const LOOKALIKES = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/**
 * A tool's own name as harmless text of one line; undefined where nothing is left, or where it mixes alphabets to look like another
 * tool: then its address says what it is.
 *
 * @example
 * shownName('Edi\u202Etor\n') // 'Editor'
 */
function shownName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const line = name
    .slice(0, 1_000)
    .normalize('NFKC')
    .replaceAll(UNSEEN, ' ')
    .replaceAll(STACKED, '$<first>')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  if (line === '' || LOOKALIKES.filter((script) => script.test(line)).length > 1) return undefined
  const characters = Array.from(line)
  return characters.length <= NAME_CHARACTERS ? line : `${characters.slice(0, NAME_CHARACTERS - 1).join('')}…`
}

/** Whether a code may be sent to an address: https, the reader's own machine, or a scheme of the tool's own. */
function mayBeRedirectedTo(address: unknown, toolSchemes: readonly string[]): boolean {
  const url = typeof address === 'string' && !hasControlCharacter(address) ? URL.parse(address) : null
  if (url === null || url.username !== '' || url.password !== '' || url.href.includes('#')) return false
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  return url.protocol === 'https:' || isToolAddress(url, toolSchemes)
}

/**
 * Makes what a client says of itself safe to keep and to show, before anything else reads it. Returns what is wrong with it, where
 * nothing can be made of it. Asked again each time a client is read: one that was kept under other rules is held to these.
 *
 * @param toolSchemes that are known beside those of every service
 */
export function holdToRules(
  metadata: Record<string, unknown>,
  toolSchemes: readonly string[],
): string | undefined {
  const redirects = [metadata['redirect_uris']].flat()
  if (!redirects.every((address) => mayBeRedirectedTo(address, toolSchemes))) {
    return 'redirect_uris must be https, of the own machine, or of a scheme of the tool: one that is known here, or the name of a domain turned round (com.example.tool:/callback), with no other address in it'
  }
  metadata['client_name'] = shownName(metadata['client_name'])
  // Nobody can prove to be a tool that has no secret, so that each connection is asked for anew. Only "native" means that there.
  metadata['application_type'] = 'native'
  // It would be fetched, for a feature that is not offered.
  delete metadata['sector_identifier_uri']
  return undefined
}

/** Longer addresses of documents are not fetched, nor shown. */
const ADDRESS_CHARACTERS = 500

/** Whether a client id is the address of a document: https, with a path that names it, and no query. */
export function isDocumentAddress(clientId: string): boolean {
  const url = URL.parse(clientId)
  if (url === null || url.protocol !== 'https:' || clientId.length > ADDRESS_CHARACTERS) return false
  if (hasControlCharacter(clientId)) return false
  return url.pathname !== '/' && url.search === ''
}

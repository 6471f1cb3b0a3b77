import { isStorableText } from '../../kernel/storable-text.ts'
import { webAddress } from '../../kernel/uri.ts'
import type { NamedPage } from './named-page.ts'

export { isGeneratedListing } from './generated-listing.ts'
export { namedAmong, type NamedPage } from './named-page.ts'
export { isNamedByAny } from './named-pages-store.ts'

/** The stored fields that decide where a document opens. */
export interface AddressedDocument {
  /** Its address, or its path within the source if it has none. */
  url: string
  documentId: string
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** A page of this service, at any public address that the service has had. */
const OWN_PAGE = new RegExp(`/(documents|answers)/(${UUID})$`, 'i')

/** Path of the page that shows a document as it was read, relative to the service's address. */
export const documentPath = (documentId: string): string => `/documents/${documentId}`

/** Fragment id of a passage on that page, for documents that have no anchor there. */
export const passageFragment = (chunkId: string): string => `p-${chunkId}`

function ownPage(address: URL): { path: string; kind: string; id: string } | undefined {
  const [path, kind, id] = OWN_PAGE.exec(address.pathname) ?? []
  return path === undefined || kind === undefined || id === undefined ? undefined : { path, kind, id }
}

/** Whether an address is the page of this document. */
export function isPageOfDocument(address: string, documentId: string): boolean {
  const url = URL.parse(address)
  const own = url === null ? undefined : ownPage(url)
  return own?.kind === 'documents' && own.id === documentId
}

/** Decodes `%…` in an address, except for sequences whose decoding would change its meaning, or that no stored address can have. */
function decoded(address: string): string {
  try {
    const text = decodeURI(address)
    return isStorableText(text) ? text : address
  } catch {
    return address
  }
}

/**
 * Resolves where documents open. Addresses are computed when they are read: a document without an address opens on this service, at its
 * current public address.
 */
export function createAddresses({ publicUrl }: { publicUrl: () => string }) {
  /** Where a document opens in a browser: at its own address, else at its page on this service. Also maps addresses given out earlier. */
  function addressOf({ url, documentId }: AddressedDocument): string {
    const given = webAddress(url)
    if (given === undefined) return `${publicUrl()}${documentPath(documentId)}`
    const parsed = new URL(given)
    const own = ownPage(parsed)
    if (own === undefined || (own.kind === 'documents' && own.id !== documentId)) return given
    return `${publicUrl()}${own.path}${parsed.search}${parsed.hash}`
  }

  /** Parses an address as a citation, a search or a list returned it, with or without its fragment. */
  function parseAddress(address: string): NamedPage {
    const whole = address.trim()
    const page = whole.replace(/#.*$/su, '')
    const url = URL.parse(page, publicUrl())
    const own = url === null ? undefined : ownPage(url)
    // For some documents the fragment is part of the address, e.g. the operations of an API. A citation names its words after that.
    const [placed = whole] = whole.split(':~:', 1)
    const spelled = [whole, placed, page].flatMap((text) => [
      text,
      URL.parse(text)?.href ?? text,
      decoded(text),
    ])
    return {
      spellings: [...new Set(spelled)],
      documentId: own?.kind === 'documents' ? own.id : undefined,
      answerId: own?.kind === 'answers' ? own.id : undefined,
    }
  }

  return { addressOf, parseAddress }
}

export type Addresses = ReturnType<typeof createAddresses>

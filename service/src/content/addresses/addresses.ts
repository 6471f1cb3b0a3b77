import { webAddress } from '../../kernel/uri.ts'
import type { NamedPage } from './named-page.ts'

export { names, type NamedPage } from './named-page.ts'
export { isNamed } from './named-pages-store.ts'

/** What is stored of where a document can be opened. */
export interface Addressed {
  /** Its address, or its path within its source where it has none. */
  url: string
  documentId: string
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** A page of this service, wherever the service was reached when its address was written. */
const OWN_PAGE = new RegExp(`/(documents|answers)/(${UUID})$`, 'i')

/** Path of the page that shows a document as it was read, below the service's address. */
export const pathOfDocument = (documentId: string): string => `/documents/${documentId}`

/** Place of a passage on that page, where the document itself names none. */
export const placeOfPassage = (chunkId: string): string => `p-${chunkId}`

function ownPage(address: URL): { path: string; kind: string; id: string } | undefined {
  const [path, kind, id] = OWN_PAGE.exec(address.pathname) ?? []
  return path === undefined || kind === undefined || id === undefined ? undefined : { path, kind, id }
}

/** Whether an address is that of the page of this document. */
export function isPageOfDocument(address: string, documentId: string): boolean {
  const url = URL.parse(address)
  const own = url === null ? undefined : ownPage(url)
  return own?.kind === 'documents' && own.id === documentId
}

/** The address without `%…` where it stands for nothing but its sign. */
function unescaped(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/**
 * Says where documents open. Addresses are made when they are read: what has none of its own opens on this service, wherever that is
 * reached by then.
 */
export function createAddresses({ publicUrl }: { publicUrl: () => string }) {
  /** Where a document opens in a browser: at its own address, else at its page here. Also for addresses given out before. */
  function addressOf({ url, documentId }: Addressed): string {
    const given = webAddress(url)
    if (given === undefined) return `${publicUrl()}${pathOfDocument(documentId)}`
    const parsed = new URL(given)
    const own = ownPage(parsed)
    if (own === undefined || (own.kind === 'documents' && own.id !== documentId)) return given
    return `${publicUrl()}${own.path}${parsed.search}${parsed.hash}`
  }

  /** What an address stands for, as a citation, a search or a list gave it: with or without its section. */
  function named(address: string): NamedPage {
    const whole = address.trim()
    const page = whole.replace(/#.*$/su, '')
    const url = URL.parse(page, publicUrl())
    const own = url === null ? undefined : ownPage(url)
    // Some documents are a section by their own address, as the operations of an API are.
    const spelled = [whole, page].flatMap((text) => [text, URL.parse(text)?.href ?? text, unescaped(text)])
    return {
      spellings: [...new Set(spelled)],
      documentId: own?.kind === 'documents' ? own.id : undefined,
      answerId: own?.kind === 'answers' ? own.id : undefined,
    }
  }

  return { addressOf, named }
}

export type Addresses = ReturnType<typeof createAddresses>

import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { webAddress } from '../../kernel/uri.ts'
import { passageAddress } from './citation-address.ts'
import type { Citation } from './citation-of.ts'

/** Citations of an answer that was given before, as they open now: the service may be reached elsewhere, and documents have had none. */
export function keptCitations(
  citations: readonly Citation[],
  addressOf: (document: AddressedDocument) => string,
): Citation[] {
  return citations.map((citation) => {
    const { document_id: documentId, chunk_id: chunkId } = citation
    const url = addressOf({ url: citation.url, documentId })
    if (webAddress(citation.url) !== undefined) return { ...citation, url }
    return { ...citation, url: passageAddress({ url, documentId, chunkId }, undefined, []) }
  })
}

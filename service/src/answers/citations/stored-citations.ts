import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { webAddress } from '../../kernel/uri.ts'
import { passageAddress } from './citation-address.ts'
import type { Citation } from '@citewell/contract/chat'

/** Citations of a stored answer with their current addresses: the public URL of the service may have changed, and uploaded documents had none. */
export function storedCitations(
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

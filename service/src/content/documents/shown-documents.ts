import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import type { DocumentsDb } from './documents-store.ts'
import {
  findShownDocument,
  findUploadedFile,
  listPassagesOfPart,
  measureParts,
  type DocumentReader,
  type ShownDocument,
  type ShownPassage,
} from './shown-documents-store.ts'

/** A document as it was read, or one part of a long one. */
export interface ShownPart {
  document: ShownDocument
  passages: ShownPassage[]
  /** Counted from 1. */
  part: number
  parts: number
}

/** Documents for their public pages, limited to what the reader may see. */
export function createShownDocuments({ db }: { db: DocumentsDb }) {
  return {
    /** Undefined if the document does not exist or the reader may not see it. */
    find: (reader: DocumentReader) => findShownDocument(db, reader),

    /** @param of the passage to show, if it still exists; else the part */
    readPart: (reader: DocumentReader, of: { passageId: string | undefined; part: number }) =>
      inOneSnapshot(db, async (snapshot): Promise<ShownPart | undefined> => {
        const document = await findShownDocument(snapshot, reader)
        if (document === undefined) return undefined
        const { parts, partOfPassage } = await measureParts(snapshot, document, of.passageId)
        const place = partOfPassage ?? Math.min(of.part, parts) - 1
        const passages = await listPassagesOfPart(snapshot, document, place)
        return { document, passages, part: place + 1, parts }
      }),

    /** The uploaded file that it was read from, if there is one and it still exists. */
    findOriginal: (document: ShownDocument) =>
      document.source_type === 'files' ? findUploadedFile(db, document) : Promise.resolve(undefined),
  }
}

export type ShownDocuments = ReturnType<typeof createShownDocuments>

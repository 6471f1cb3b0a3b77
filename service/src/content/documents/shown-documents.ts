import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import type { DocumentsDb } from './documents-store.ts'
import {
  findShownDocument,
  findUploadedFile,
  listPassagesOfPart,
  measureParts,
  type Looker,
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

/** Documents as whoever opens their page may read them. */
export function createShownDocuments({ db }: { db: DocumentsDb }) {
  return {
    /** Undefined for what there is not, and for what they may not read. */
    find: (looker: Looker) => findShownDocument(db, looker),

    /** @param of the passage that is to be seen, where it is still there; else the part */
    readPart: (looker: Looker, of: { passageId: string | undefined; part: number }) =>
      inOneSnapshot(db, async (snapshot): Promise<ShownPart | undefined> => {
        const document = await findShownDocument(snapshot, looker)
        if (document === undefined) return undefined
        const { parts, partOfPassage } = await measureParts(snapshot, document, of.passageId)
        const place = partOfPassage ?? Math.min(of.part, parts) - 1
        const passages = await listPassagesOfPart(snapshot, document, place)
        return { document, passages, part: place + 1, parts }
      }),

    /** The file that it was read from, where it was uploaded and is still there. */
    findOriginal: (document: ShownDocument) =>
      document.source_type === 'files' ? findUploadedFile(db, document) : Promise.resolve(undefined),
  }
}

export type ShownDocuments = ReturnType<typeof createShownDocuments>

import { Refusal } from '../../kernel/refusal.ts'
import {
  lockType,
  type BaseHooks,
  type KnowledgeBaseRow,
  type KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { mayReadText, type Caller } from '../../accounts/permissions/permissions.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Indexing } from '../indexing/indexing.ts'
import {
  countDocuments,
  countFoundDocuments,
  findDocument,
  listChunks,
  listDocuments,
  listDocumentsInOrder,
  restrictDocuments,
  setVisibilities,
  setVisibility,
  type DocumentChunk,
  type DocumentFilter,
  type DocumentOrder,
  type DocumentRow,
  type DocumentsDb,
  type OrderedDocumentRow,
} from './documents-store.ts'
import { deleteUploadedFile } from './uploaded-files-store.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import { nameRecords } from '../../platform/storage/base-records.ts'

export { createPush, type Push } from './push-documents.ts'
export { createUploadedFiles, type UploadedFiles } from './uploaded-files.ts'
export { createShownDocuments, type ShownDocuments, type ShownPart } from './shown-documents.ts'
export type { DocumentReader, ShownPassage } from './shown-documents-store.ts'
export { LIVE_DOCUMENT_COUNT, setVisibility } from './documents-store.ts'
export type { DocumentFilter } from './documents-store.ts'

export interface DocumentsDeps {
  db: DocumentsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  indexing: Pick<Indexing, 'removeDocuments'>
  events: Events
  now: () => Date
}

export interface DocumentWithChunks {
  row: DocumentRow
  /** Empty if they are withheld. */
  chunks: DocumentChunk[]
  isWithheld: boolean
}

export const documentHooks: BaseHooks = {
  records: [
    { noun: 'documents', table: 'documents', name: 'title' },
    { noun: 'files', table: 'source_files', name: 'name' },
  ],
  owned: [{ counts: 'documents', count: countDocuments }],
  affectedByInternal: [
    {
      shows: 'documents',
      name: nameRecords('documents', { name: 'title', where: { visibility: ['public'] } }),
    },
  ],
  // In both directions: what a sync added while the base was internal must not show when it is external again.
  onTypeChanged: async (transaction: Db<'documents'>, { base, now }) => {
    await restrictDocuments(transaction, base.id, now)
    return {}
  },
}

/** Holds the type of the base until the transaction ends. @throws Refusal KNOWLEDGE_BASE_INTERNAL for a public document of an internal base */
async function requirePossible(
  transaction: DocumentsDb,
  knowledgeBaseId: string,
  visibility: DocumentRow['visibility'],
): Promise<void> {
  if (visibility === 'public' && (await lockType(transaction, knowledgeBaseId)) === 'internal')
    throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
      because: 'Documents of an internal knowledge base are restricted.',
    })
}

export function createDocuments({ db, knowledgeBases, indexing, events, now }: DocumentsDeps) {
  const bases = createRecordBases({ db, knowledgeBases, table: 'documents', noun: 'document' })

  async function documentIn(knowledgeBaseId: string, documentId: string): Promise<DocumentRow> {
    const row = await findDocument(db, knowledgeBaseId, documentId)
    if (row === undefined) throw bases.notFound()
    return row
  }

  async function withChunks(
    caller: Caller,
    base: KnowledgeBaseRow,
    documentId: string,
  ): Promise<DocumentWithChunks> {
    const knowledgeBaseId = base.id
    return await inOneSnapshot(db, async (snapshot) => {
      const row = await findDocument(snapshot, knowledgeBaseId, documentId)
      if (row === undefined) throw bases.notFound()
      if (!mayReadText(caller, base, row)) return { row, chunks: [], isWithheld: true }
      const chunks = await listChunks(snapshot, {
        knowledgeBaseId,
        documentId,
        version: row.live_version ?? 0,
      })
      return { row, chunks, isWithheld: false }
    })
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    of: Omit<Parameters<typeof listDocuments>[1], 'knowledgeBaseId'>,
  ): Promise<DocumentRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listDocuments(db, { ...of, knowledgeBaseId })
  }

  /** The same in an order. */
  async function listInOrder(
    caller: Caller,
    knowledgeBaseId: string,
    of: DocumentFilter & { order: DocumentOrder; limit: number },
  ): Promise<OrderedDocumentRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listDocumentsInOrder(db, { ...of, knowledgeBaseId })
  }

  /** How many documents a filter finds, by visibility. */
  async function count(
    caller: Caller,
    knowledgeBaseId: string,
    of: DocumentFilter,
  ): Promise<Record<DocumentRow['visibility'], number>> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    const found = await countFoundDocuments(db, { ...of, knowledgeBaseId })
    const countOf = (wanted: DocumentRow['visibility']) =>
      found.find(({ visibility }) => visibility === wanted)?.count ?? 0
    return { public: countOf('public'), restricted: countOf('restricted') }
  }

  async function get(caller: Caller, documentId: string): Promise<DocumentWithChunks> {
    const base = await bases.open(caller, documentId, 'member')
    return await withChunks(caller, base, documentId)
  }

  /**
   * Makes a document public or restricted from the next question on; it no longer follows its source. Documents of an internal base stay
   * restricted.
   */
  async function changeVisibility(
    caller: Caller,
    documentId: string,
    visibility: DocumentRow['visibility'] | undefined,
  ): Promise<DocumentWithChunks> {
    const base = await bases.openActive(caller, documentId, 'config')
    await documentIn(base.id, documentId)
    if (visibility === undefined) return await withChunks(caller, base, documentId)
    const of = { knowledgeBaseId: base.id, documentId }
    const isChanged = await db.transaction().execute(async (transaction: DocumentsDb) => {
      await requirePossible(transaction, base.id, visibility)
      return await setVisibility(transaction, { ...of, visibility, now: now() })
    })
    if (isChanged) events.announce('document.visibility-changed', of)
    return await withChunks(caller, base, documentId)
  }

  /** The same for several documents, all or none. Returns how many had another visibility. */
  async function changeVisibilities(
    caller: Caller,
    knowledgeBaseId: string,
    documentIds: readonly string[],
    visibility: DocumentRow['visibility'],
  ): Promise<number> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const changed = await db.transaction().execute(async (transaction: DocumentsDb) => {
      await requirePossible(transaction, base.id, visibility)
      const of = { knowledgeBaseId: base.id, documentIds, visibility, now: now() }
      return await setVisibilities(transaction, of)
    })
    for (const documentId of changed)
      events.announce('document.visibility-changed', { knowledgeBaseId: base.id, documentId })
    return changed.length
  }

  /** Removes a document from answers; for a `files` source also its file, which the next sync would bring back. */
  async function remove(caller: Caller, documentId: string): Promise<void> {
    const base = await bases.openActive(caller, documentId, 'config')
    const row = await documentIn(base.id, documentId)
    if (row.source_type === 'files')
      await deleteUploadedFile(db, {
        knowledgeBaseId: base.id,
        sourceId: row.source_id,
        name: row.external_id,
      })
    await indexing.removeDocuments(base.id, [documentId])
  }

  return { list, listInOrder, count, get, changeVisibility, changeVisibilities, remove }
}

export type Documents = ReturnType<typeof createDocuments>

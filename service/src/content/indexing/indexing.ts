import type { StorageQuota } from '../../accounts/storage-quota/storage-quota.ts'
import type { EmbedderInUse } from '../../platform/embedding/embedder-in-use.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { Events } from '../../platform/events/events.ts'
import type { FreeSpace } from '../../platform/files/free-space.ts'
import { pageTitle } from '../chunking/chunking.ts'
import type { ParsedDocument } from '../parsing/parsing.ts'
import { completeVectorsJob } from './complete-vectors.ts'
import { createBaseLanguage } from './base-language.ts'
import { hashContent } from './content-hash.ts'
import { dropOrphanedIndexesJob } from './drop-orphaned-indexes.ts'
import { embedPassages } from './embed-passages.ts'
import { dataFailure } from './index-failure.ts'
import type { IndexDb } from './indexing-tables.ts'
import { dropPartitions, ensurePartitions } from './index-partitions-store.ts'
import { createHeldVersions } from './held-versions.ts'
import { beginHeldVersion, holdVersion } from './held-versions-store.ts'
import { hasSource, lockSourceShared } from './index-sources-store.ts'
import {
  abandonVersion,
  beginVersion,
  liveVectors,
  publishVersion,
  removeDocuments,
  writeUnpublishedChunks,
  type BegunVersion,
  type ChunkRow,
  type PassageVectors,
} from './indexing-store.ts'
import { inspectIndex } from './inspect-index-store.ts'
import { pipelineOf } from './pipeline.ts'
import { preparePassages, type PreparedDocument } from './prepare-passages.ts'
import type { Preparing } from './preparing.ts'
import { followSource, restrictAtSource, type DocumentAtSource } from './restrictions-store.ts'
import { createStatistics } from './statistics.ts'
import { minStoredBytes, storedBytesOf } from './stored-bytes.ts'
import { createVectorIndexes } from './vector-indexes.ts'

export { IndexFailure } from './index-failure.ts'
export { createPreparing } from './preparing.ts'
export { createWordIndexRepair } from './word-index-repair.ts'
export { INDEX_TABLES, type IndexDb } from './indexing-tables.ts'
export type { HeldDocument } from './held-versions.ts'
export { COMPLETE_VECTORS } from './complete-vectors.ts'
export { storedDimensions } from './stored-dimensions-store.ts'
export type { IndexInspection } from './inspect-index-store.ts'

export interface IndexingDeps {
  db: IndexDb
  engine: 'embedded' | 'postgres'
  /** Without a model documents are found by their words alone. */
  embedder: EmbedderInUse
  /** Divides documents into passages in another thread; without it this thread does. */
  preparing?: Pick<Preparing, 'prepare'> | undefined
  events?: Pick<Events, 'announce'>
  /** Refuse documents that exceed the disk or the workspace's quota; undefined: not checked. */
  freeSpace?: Pick<FreeSpace, 'reserve'> | undefined
  storageQuota?: Pick<StorageQuota, 'require'> | undefined
  newId: () => string
  now: () => Date
  /** Logs what went wrong with an index that is built besides: documents are complete without it. */
  report?: ((error: unknown, activity: string) => void) | undefined
}

export interface DocumentToIndex {
  knowledgeBaseId: string
  sourceId: string
  externalId: string
  url: string
  document: ParsedDocument
  /**
   * Language of the base: decides how words are analysed, in documents and questions alike. A document's own language is not used for this,
   * since the language of the matching document is not known for a question; those of all together are that of a base whose owner chose none
   * (`base-language.ts`).
   */
  language: string | undefined
  /** If the document's sender gave one; else that of its source at that moment. Restricted in an internal base. */
  visibility: 'public' | 'restricted' | undefined
  /** Its source shows it to some people only: a new document is restricted from the beginning. */
  isRestrictedAtSource?: boolean | undefined
  sourceModifiedAt: Date | undefined
  /** Its new version is written, but no reader sees it until the source is released: see `held-versions.ts`. */
  isHeld?: boolean | undefined
}

export type IndexOutcome = 'added' | 'changed' | 'unchanged' | 'gone'

/** Maximum tokens of a passage if no model sets a limit, and how tokens are counted then. */
const DEFAULT_MAX_TOKENS = 256
const DEFAULT_COUNTING = { kind: 'bytes', perToken: 4 } as const

/** Disk space a document takes while it is written, as a multiple of its text: rows, indexes, and their write-ahead log. */
const SPACE_PER_TEXT_BYTE = 12

/**
 * Turns documents into searchable passages. A document becomes visible as a whole: its new version is written beside the old one, and
 * replaces it in one statement; that of a source that holds its syncs back, in one transaction with all others.
 */
export function createIndexing(deps: IndexingDeps) {
  const { db, engine, embedder, preparing, events, freeSpace, storageQuota, newId, now } = deps

  const announceChange = (knowledgeBaseId: string) => events?.announce('content.changed', { knowledgeBaseId })
  const prepared = new Set<string>()
  const { settleLanguage, ...baseLanguage } = createBaseLanguage({ db, events })
  const held = createHeldVersions({ db, events, now })
  const vectorIndexes = createVectorIndexes(db, embedder, deps.report)
  const statistics = createStatistics({ db, engine, prepareBase })

  /** False for a deleted base. */
  async function prepareBase(knowledgeBaseId: string): Promise<boolean> {
    if (prepared.has(knowledgeBaseId)) return true
    if (!(await ensurePartitions(db, knowledgeBaseId))) return false
    prepared.add(knowledgeBaseId)
    return true
  }

  async function prepare(
    { knowledgeBaseId, document, language }: DocumentToIndex,
    embedder: Embedder | undefined,
    signal: AbortSignal,
  ): Promise<PreparedDocument> {
    const maxTokens = embedder?.maxTokens ?? DEFAULT_MAX_TOKENS
    const counting = embedder === undefined ? DEFAULT_COUNTING : embedder.counting
    if (preparing !== undefined && counting !== undefined)
      return await preparing.prepare(knowledgeBaseId, { document, language, counting, maxTokens }, signal)
    const countTokens = (text: string) => embedder?.countTokens(text) ?? Math.ceil(text.length / 4)
    return preparePassages(document, language, { countTokens, maxTokens })
  }

  /**
   * Indexes one document, or finds that nothing changed. `alsoInTransaction` is written in the same transaction that makes the document visible,
   * so that what a connector remembers of it is never ahead of the index. `gone`: the document, its source or its base was deleted in the
   * meantime, or a newer version begun; nothing is left of this one.
   *
   * @throws IndexFailure if the fault is in the document itself; others may still be indexed
   */
  async function indexDocument(
    given: DocumentToIndex,
    signal: AbortSignal,
    alsoInTransaction: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    try {
      return await writeDocument(given, signal, alsoInTransaction)
    } catch (error) {
      // A concurrent deletion makes statements fail in different ways; check whether this is the cause.
      if (!signal.aborted && !(await hasSource(db, given))) return 'gone'
      throw dataFailure(error) ?? error
    }
  }

  async function writeDocument(
    given: DocumentToIndex,
    signal: AbortSignal,
    alsoInTransaction: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    const document = { ...given.document, title: pageTitle(given.document.title) }
    const { language } = document
    const current = embedder()
    const pipeline = pipelineOf(given.language, current?.key)
    const { hash: contentHash, length } = await hashContent(given.url, document)
    const version = {
      ...given,
      newId: newId(),
      title: document.title,
      language,
      contentHash,
      indexedWith: pipeline,
      now: now(),
    }
    const isHeld = given.isHeld === true
    const begun = await (isHeld
      ? beginHeldVersion(db, version, alsoInTransaction)
      : beginVersion(db, version))
    if (begun === undefined) {
      if (!isHeld) await inTransaction(given, alsoInTransaction)
      return 'unchanged'
    }

    const space = await freeSpace
      ?.reserve('data', length * SPACE_PER_TEXT_BYTE)
      .catch(discardVersion(given, begun))
    try {
      return await writeVersion(
        { given: { ...given, document }, begun, contentHash, pipeline, embedder: current },
        signal,
        alsoInTransaction,
      )
    } catch (error) {
      return await discardVersion(given, begun)(error)
    } finally {
      space?.release()
      // After it is written, and also if that failed: the answer alone may be lost.
      statistics.outdate(given.knowledgeBaseId)
    }
  }

  /** What belongs to a document is written as a whole, also if its text stays: with the locks of a publication, in their order. */
  async function inTransaction(
    given: DocumentToIndex,
    write: (transaction: IndexDb) => Promise<void>,
  ): Promise<void> {
    await db.transaction().execute(async (transaction: IndexDb) => {
      await lockSourceShared(transaction, given)
      await write(transaction)
    })
  }

  /** Discards what was begun; if the storage itself is down, the next version deletes it. */
  const discardVersion = (given: DocumentToIndex, begun: BegunVersion) => async (error: unknown) => {
    const place = {
      knowledgeBaseId: given.knowledgeBaseId,
      documentId: begun.id,
      version: begun.version,
      embeddingKey: undefined,
    }
    await abandonVersion(db, place).catch(() => undefined)
    throw error
  }

  async function writeVersion(
    {
      given,
      begun,
      contentHash,
      pipeline,
      embedder: current,
    }: {
      given: DocumentToIndex
      begun: BegunVersion
      contentHash: string
      pipeline: string
      embedder: Embedder | undefined
    },
    signal: AbortSignal,
    alsoInTransaction: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    const { document } = given
    const { language, leftOut = [] } = document
    if (!(await prepareBase(given.knowledgeBaseId))) return 'gone'
    const { passages, pageTerms } = await prepare(given, current, signal)
    const known =
      current !== undefined && begun.liveVersion !== undefined
        ? await liveVectors(db, {
            knowledgeBaseId: given.knowledgeBaseId,
            documentId: begun.id,
            version: begun.liveVersion,
            embeddingKey: current.key,
          })
        : new Map<string, PassageVectors>()
    if (current !== undefined) {
      const grownBy = minStoredBytes(passages, pageTerms, current.dimensions) - begun.storedBytes
      // Also checked early, so that nothing is embedded in vain.
      if (grownBy > 0) await storageQuota?.require(db, given.knowledgeBaseId, grownBy)
    }
    const vectors = await embedPassages(
      current,
      { passages, known, knowledgeBaseId: given.knowledgeBaseId },
      signal,
    )
    signal.throwIfAborted()
    const rows: ChunkRow[] = passages.map(({ hash, parts: _parts, ...passage }) => ({
      ...passage,
      id: newId(),
      embeddedHash: hash,
      vector: vectors.get(hash),
    }))
    const place = {
      knowledgeBaseId: given.knowledgeBaseId,
      documentId: begun.id,
      version: begun.version,
      embeddingKey: current?.key,
    }
    const storedBytes = storedBytesOf(rows, pageTerms)
    const lastChunks = await writeUnpublishedChunks(db, place, rows)
    const isDone = await (given.isHeld === true ? holdVersion : publishVersion)(
      db,
      {
        ...place,
        sourceId: given.sourceId,
        url: given.url,
        title: document.title,
        language,
        chunkCount: rows.length,
        storedBytes,
        lastChunks,
        pageTerms,
        contentHash,
        indexedWith: pipeline,
        leftOut,
        sourceModifiedAt: given.sourceModifiedAt,
        now: now(),
      },
      async (transaction) => {
        await alsoInTransaction(transaction)
        // A document that does not grow is always accepted, even over the quota: otherwise it could not be made smaller.
        if (storedBytes > begun.storedBytes)
          await storageQuota?.require(transaction, given.knowledgeBaseId, 0)
      },
    )
    if (!isDone) return 'gone'
    if (given.isHeld !== true) announceChange(given.knowledgeBaseId)
    await vectorIndexes.onWritten(given.knowledgeBaseId, rows.length)
    return begun.liveVersion === undefined ? 'added' : 'changed'
  }

  const announceVisibility = (knowledgeBaseId: string, documentId: string | undefined) => {
    if (documentId !== undefined)
      events?.announce('document.visibility-changed', { knowledgeBaseId, documentId })
  }

  return {
    pipelineFor: (language: string | undefined) => pipelineOf(language, embedder()?.key),
    indexDocument,
    settleLanguage,
    settlePushed: baseLanguage.settlePushed,
    ...held,
    releaseHeld: async (...given: Parameters<typeof held.releaseHeld>): Promise<boolean> => {
      const isReleased = await held.releaseHeld(...given)
      if (isReleased) await settleLanguage(given[0].knowledgeBaseId)
      return isReleased
    },
    /** Restricts a document because its source does; at once, whether its new text can be indexed or not. */
    restrictAtSource: async (of: Omit<DocumentAtSource, 'now'>) =>
      announceVisibility(of.knowledgeBaseId, await restrictAtSource(db, { ...of, now: now() })),
    /** Ends that, in the transaction that makes its new text visible, or in one of its own. */
    followSource: async (of: Omit<DocumentAtSource, 'now'>, transaction: IndexDb = db) =>
      announceVisibility(of.knowledgeBaseId, await followSource(transaction, { ...of, now: now() })),
    removeDocuments: async (knowledgeBaseId: string, documentIds: readonly string[]) => {
      await removeDocuments(db, knowledgeBaseId, documentIds)
      announceChange(knowledgeBaseId)
    },
    /** Called after the base is deleted. If a crash comes in between, the hourly job does it. */
    dropIndex: async (knowledgeBaseId: string) => {
      prepared.delete(knowledgeBaseId)
      vectorIndexes.forget(knowledgeBaseId)
      baseLanguage.forget(knowledgeBaseId)
      statistics.outdate(knowledgeBaseId)
      await dropPartitions(db, knowledgeBaseId)
    },
    jobs: [dropOrphanedIndexesJob(db), completeVectorsJob({ db, embedder, vectorIndexes, storageQuota })],
    inspectIndex: () => inspectIndex(db, embedder()?.key),
    /** Called after a sync, with the share of its documents that it replaced or removed. */
    refreshStatistics: statistics.refresh,
  }
}

export type Indexing = ReturnType<typeof createIndexing>

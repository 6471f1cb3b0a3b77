import { createHash } from 'node:crypto'
import type { StorageQuota } from '../../accounts/storage-quota/storage-quota.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { FreeSpace } from '../../platform/files/free-space.ts'
import {
  chunkDocument,
  CHUNKER_VERSION,
  passageParts,
  PARTS_VERSION,
  type Chunk,
} from '../chunking/chunking.ts'
import { plainText, type ParsedDocument } from '../parsing/parsing.ts'
import { packVectors } from '../../platform/embedding/packed-vectors.ts'
import { analyseTerms, TERMS_VERSION } from '../text-terms/text-terms.ts'
import { dropLeftIndexesJob } from './drop-left-indexes.ts'
import type { IndexDb } from './index-tables.ts'
import { dropPartitions, ensurePartitions, refreshStatistics } from './index-partitions-store.ts'
import { hasSource } from './index-sources-store.ts'
import {
  abandonVersion,
  beginVersion,
  liveVectors,
  publishVersion,
  removeDocuments,
  writeAhead,
  type BegunVersion,
  type ChunkRow,
  type PassageVectors,
} from './indexing-store.ts'
import { inspectIndex } from './inspect-index-store.ts'
import { leastBytesOf, storedBytesOf } from './stored-bytes.ts'
import { createVectorIndexes } from './vector-indexes.ts'

export { INDEX_TABLES } from './index-tables.ts'
export type { IndexInspection } from './inspect-index-store.ts'

export interface IndexingDeps {
  db: IndexDb
  engine: 'embedded' | 'postgres'
  /** Undefined where no model could be loaded: documents are then found by their words alone. */
  embedder: Embedder | undefined
  /** Refuses what the disk, or the workspace, has no room for; undefined: there is room for everything. */
  freeSpace?: Pick<FreeSpace, 'hold'> | undefined
  storageQuota?: Pick<StorageQuota, 'require'> | undefined
  newId: () => string
  now: () => Date
}

export interface DocumentToIndex {
  knowledgeBaseId: string
  sourceId: string
  externalId: string
  url: string
  document: ParsedDocument
  /**
   * Language of the base: how words are analysed, in documents and questions alike. A document's own language is kept, and
   * not used for this, since a question does not know it.
   */
  language: string | undefined
  /** Where the document's sender says it; else what its source is at that moment. Restricted in an internal base. */
  visibility: 'public' | 'restricted' | undefined
  sourceModifiedAt: Date | undefined
}

export type IndexOutcome = 'added' | 'changed' | 'unchanged' | 'gone'

/** Longest passage in tokens when no model sets a limit. */
const DEFAULT_MAX_TOKENS = 256

/** What a document takes on the disk while it is written, by what was read of it: rows, indexes, and the log of all that. */
const SPACE_BY_TEXT = 12

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Terms of a page beyond which no more are kept: it is found by these. In characters. */
const LONGEST_PAGE_TERMS = 400_000

/**
 * What BM25 reads. Of a passage: its own words, those of the title and of the headings above, the nearest one twice. Of the
 * page: its title, and each passage under its nearest heading.
 */
function termsOf(
  title: string,
  chunks: readonly Chunk[],
  language: string | undefined,
): { passages: string[]; page: string } {
  const analysed = (texts: readonly string[]) =>
    texts.flatMap((text) => analyseTerms(text, language)).join(' ')
  const parts = chunks.map(({ headingPath, text }) => ({
    above: analysed([title, ...headingPath]),
    nearest: analysed([headingPath.at(-1) ?? title]),
    own: analysed([plainText(text)]),
  }))
  return {
    passages: parts.map(({ above, nearest, own }) => `${above} ${nearest} ${own}`),
    page: [analysed([title]), ...parts.map(({ nearest, own }) => `${nearest} ${own}`)]
      .join(' ')
      .slice(0, LONGEST_PAGE_TERMS),
  }
}

/**
 * Turns documents into searchable passages. A document is visible whole or not at all: its new version is written beside
 * the old one, and takes its place in one statement.
 */
export function createIndexing({ db, engine, embedder, freeSpace, storageQuota, newId, now }: IndexingDeps) {
  /** Names everything that decides what is stored of a document; where it differs the document is indexed anew. */
  const pipelineFor = (language: string | undefined) =>
    [
      CHUNKER_VERSION,
      PARTS_VERSION,
      TERMS_VERSION,
      language ?? 'no-language',
      embedder?.key ?? 'no-vectors',
    ].join('|')
  const prepared = new Set<string>()
  const vectorIndexes = createVectorIndexes(db, embedder)

  /** False for a base that is gone. */
  async function prepareBase(knowledgeBaseId: string): Promise<boolean> {
    if (prepared.has(knowledgeBaseId)) return true
    if (!(await ensurePartitions(db, knowledgeBaseId))) return false
    prepared.add(knowledgeBaseId)
    return true
  }

  async function vectorsOf(
    passages: readonly { hash: string; parts: readonly string[] }[],
    known: Map<string, PassageVectors>,
    signal: AbortSignal,
  ): Promise<Map<string, PassageVectors>> {
    if (embedder === undefined) return known
    const missing = passages.filter(({ hash }) => !known.has(hash))
    const made = await embedder.embedInParts(
      missing.map(({ parts }) => parts),
      signal,
    )
    return new Map([
      ...known,
      ...made.map(({ whole, parts: [, ...sentences] }, index): [string, PassageVectors] => [
        missing[index]?.hash ?? '',
        { whole, sentences: sentences.length === 0 ? undefined : packVectors(sentences) },
      ]),
    ])
  }

  /**
   * Indexes one document, or finds that nothing changed. `alongside` is written in the same transaction that makes the
   * document visible: what a connector remembers of it can then never be ahead of the index. `gone`: the document, its source
   * or its base was deleted meanwhile, or a newer version begun; nothing is left of this one.
   */
  async function indexDocument(
    given: DocumentToIndex,
    signal: AbortSignal,
    alongside: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    try {
      return await writeDocument(given, signal, alongside)
    } catch (error) {
      // Its rows and its tables go at any moment, and each statement fails in its own way then.
      if (!signal.aborted && !(await hasSource(db, given))) return 'gone'
      throw error
    }
  }

  async function writeDocument(
    given: DocumentToIndex,
    signal: AbortSignal,
    alongside: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    const { document } = given
    const { language } = document
    const pipeline = pipelineFor(given.language)
    const content = JSON.stringify([given.url, document.title, language ?? '', document.blocks])
    const contentHash = sha256(content)
    const begun = await beginVersion(db, {
      ...given,
      newId: newId(),
      title: document.title,
      language,
      contentHash,
      indexedWith: pipeline,
      now: now(),
    })
    if (begun === undefined) {
      await alongside(db)
      return 'unchanged'
    }

    const space = await freeSpace?.hold('data', content.length * SPACE_BY_TEXT).catch(takeBack(given, begun))
    try {
      return await writeVersion({ given, begun, contentHash, pipeline }, signal, alongside)
    } catch (error) {
      return await takeBack(given, begun)(error)
    } finally {
      space?.release()
    }
  }

  /** Nothing is left of what was begun; where the storage itself is down, the next version takes it along. */
  const takeBack = (given: DocumentToIndex, begun: BegunVersion) => async (error: unknown) => {
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
    }: { given: DocumentToIndex; begun: BegunVersion; contentHash: string; pipeline: string },
    signal: AbortSignal,
    alongside: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    const { document } = given
    const { language } = document
    if (!(await prepareBase(given.knowledgeBaseId))) return 'gone'
    const chunks = chunkDocument(document, {
      countTokens: (text) => embedder?.countTokens(text) ?? Math.ceil(text.length / 4),
      maxTokens: embedder?.maxTokens ?? DEFAULT_MAX_TOKENS,
    })
    const passages = chunks.map((chunk) => {
      const parts = passageParts(document.title, chunk, language)
      return { hash: sha256([PARTS_VERSION, ...parts].join('\n')), parts }
    })
    const known =
      embedder !== undefined && begun.liveVersion !== undefined
        ? await liveVectors(db, {
            knowledgeBaseId: given.knowledgeBaseId,
            documentId: begun.id,
            version: begun.liveVersion,
            embeddingKey: embedder.key,
          })
        : new Map<string, PassageVectors>()
    const terms = termsOf(document.title, chunks, given.language)
    const plain = chunks.map((chunk, index) => ({ ...chunk, terms: terms.passages[index] ?? '' }))
    const grownBy = leastBytesOf(plain, terms.page, embedder?.dimensions ?? 0) - begun.storedBytes
    // Asked before as well, so that nothing is embedded in vain.
    if (grownBy > 0) await storageQuota?.require(db, given.knowledgeBaseId, grownBy)
    const vectors = await vectorsOf(passages, known, signal)
    signal.throwIfAborted()
    const rows: ChunkRow[] = plain.map((chunk, index) => {
      const hash = passages[index]?.hash ?? ''
      return { ...chunk, id: newId(), embeddedHash: hash, vector: vectors.get(hash) }
    })
    const place = {
      knowledgeBaseId: given.knowledgeBaseId,
      documentId: begun.id,
      version: begun.version,
      embeddingKey: embedder?.key,
    }
    const storedBytes = storedBytesOf(rows, terms.page)
    const isLive = await publishVersion(
      db,
      {
        ...place,
        sourceId: given.sourceId,
        url: given.url,
        title: document.title,
        language,
        chunkCount: rows.length,
        storedBytes,
        lastChunks: await writeAhead(db, place, rows),
        pageTerms: terms.page,
        contentHash,
        indexedWith: pipeline,
        sourceModifiedAt: given.sourceModifiedAt,
        now: now(),
      },
      async (transaction) => {
        await alongside(transaction)
        // What makes a document no larger is taken, however much there is: else nothing could be made smaller.
        if (storedBytes > begun.storedBytes)
          await storageQuota?.require(transaction, given.knowledgeBaseId, 0)
      },
    )
    if (!isLive) return 'gone'
    await vectorIndexes.onWritten(given.knowledgeBaseId, rows.length)
    return begun.liveVersion === undefined ? 'added' : 'changed'
  }

  return {
    pipelineFor,
    indexDocument,
    removeDocuments: (knowledgeBaseId: string, documentIds: readonly string[]) =>
      removeDocuments(db, knowledgeBaseId, documentIds),
    /** After the base is deleted. Where a crash comes between, the job of every hour does it. */
    dropIndex: async (knowledgeBaseId: string) => {
      prepared.delete(knowledgeBaseId)
      vectorIndexes.forget(knowledgeBaseId)
      await dropPartitions(db, knowledgeBaseId)
    },
    jobs: [dropLeftIndexesJob(db)],
    inspectIndex: () => inspectIndex(db, embedder?.key),
    /** After a sync: the embedded engine needs to be told to look at its tables again. */
    refreshStatistics: async (knowledgeBaseId: string, rewrittenShare: number) => {
      if (engine === 'postgres') return
      if (!(await prepareBase(knowledgeBaseId))) return
      try {
        await refreshStatistics(db, knowledgeBaseId, rewrittenShare > 0.2)
      } catch (error) {
        // The tables of a base that is deleted at this moment are gone, and so is what they would be looked at for.
        if (await ensurePartitions(db, knowledgeBaseId)) throw error
      }
    },
  }
}

export type Indexing = ReturnType<typeof createIndexing>

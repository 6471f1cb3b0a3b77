import { createHash } from 'node:crypto'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import { chunkDocument, CHUNKER_VERSION, passageText } from '../chunking/chunking.ts'
import { plainText, type ParsedDocument } from '../parsing/parsing.ts'
import { analyseTerms, TERMS_VERSION } from '../text-terms/text-terms.ts'
import {
  beginVersion,
  dropPartitions,
  ensurePartitions,
  findIndexed,
  liveVectors,
  publishVersion,
  refreshStatistics,
  removeDocuments,
  writeChunks,
  type ChunkRow,
  type IndexDb,
} from './indexing-store.ts'
import { inspectIndex } from './inspect-index-store.ts'

export type { IndexInspection } from './inspect-index-store.ts'

export interface IndexingDeps {
  db: IndexDb
  engine: 'embedded' | 'postgres'
  /** Undefined where no model could be loaded: documents are then found by their words alone. */
  embedder: Embedder | undefined
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

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What BM25 reads of a passage: its own words, those of the title and of the headings above; the nearest one twice. */
function termsOf(
  title: string,
  headingPath: readonly string[],
  text: string,
  language: string | undefined,
): string {
  const nearest = headingPath.at(-1) ?? title
  return [title, ...headingPath, nearest, plainText(text)]
    .flatMap((part) => analyseTerms(part, language))
    .join(' ')
}

/**
 * Turns documents into searchable passages. A document is visible whole or not at all: its new version is written beside
 * the old one, and takes its place in one statement.
 */
export function createIndexing({ db, engine, embedder, newId, now }: IndexingDeps) {
  /** Names everything that decides what is stored of a document; where it differs the document is indexed anew. */
  const pipelineFor = (language: string | undefined) =>
    [CHUNKER_VERSION, TERMS_VERSION, language ?? 'no-language', embedder?.key ?? 'no-vectors'].join('|')
  const prepared = new Set<string>()

  async function prepareBase(knowledgeBaseId: string): Promise<void> {
    if (prepared.has(knowledgeBaseId)) return
    await ensurePartitions(db, knowledgeBaseId, embedder)
    prepared.add(knowledgeBaseId)
  }

  async function vectorsOf(
    texts: readonly { hash: string; text: string }[],
    known: Map<string, Float32Array>,
    signal: AbortSignal,
  ): Promise<Map<string, Float32Array>> {
    if (embedder === undefined) return known
    const missing = texts.filter(({ hash }) => !known.has(hash))
    const made = await embedder.embedPassages(
      missing.map(({ text }) => text),
      signal,
    )
    return new Map([
      ...known,
      ...missing.map(({ hash }, index) => [hash, made[index]] as [string, Float32Array]),
    ])
  }

  /**
   * Indexes one document, or finds that nothing changed. `alongside` is written in the same transaction that makes the
   * document visible: what a connector remembers of it can then never be ahead of the index.
   */
  async function indexDocument(
    given: DocumentToIndex,
    signal: AbortSignal,
    alongside: (transaction: IndexDb) => Promise<void>,
  ): Promise<IndexOutcome> {
    const { document } = given
    const { language } = document
    const pipeline = pipelineFor(given.language)
    const contentHash = sha256(JSON.stringify([given.url, document.title, language ?? '', document.blocks]))
    const before = await findIndexed(db, given)
    if (
      before !== undefined &&
      before.liveVersion !== undefined &&
      before.contentHash === contentHash &&
      before.indexedWith === pipeline
    ) {
      await alongside(db)
      return 'unchanged'
    }

    await prepareBase(given.knowledgeBaseId)
    const started = await beginVersion(db, {
      ...given,
      newId: newId(),
      title: document.title,
      language,
      now: now(),
    })
    const chunks = chunkDocument(document, {
      countTokens: (text) => embedder?.countTokens(text) ?? Math.ceil(text.length / 4),
      maxTokens: embedder?.maxTokens ?? DEFAULT_MAX_TOKENS,
    })
    const texts = chunks.map((chunk) => {
      const text = passageText(document.title, chunk)
      return { hash: sha256(text), text }
    })
    const known =
      embedder !== undefined && before?.liveVersion !== undefined
        ? await liveVectors(db, {
            knowledgeBaseId: given.knowledgeBaseId,
            documentId: started.id,
            version: before.liveVersion,
            embeddingKey: embedder.key,
          })
        : new Map<string, Float32Array>()
    const vectors = await vectorsOf(texts, known, signal)
    signal.throwIfAborted()
    const rows: ChunkRow[] = chunks.map((chunk, index) => {
      const hash = texts[index]?.hash ?? ''
      return {
        ...chunk,
        id: newId(),
        terms: termsOf(document.title, chunk.headingPath, chunk.text, given.language),
        embeddedHash: hash,
        vector: vectors.get(hash),
      }
    })
    await writeChunks(
      db,
      { ...given, documentId: started.id, version: started.version, embeddingKey: embedder?.key },
      rows,
    )
    const isLive = await publishVersion(
      db,
      {
        knowledgeBaseId: given.knowledgeBaseId,
        documentId: started.id,
        version: started.version,
        url: given.url,
        title: document.title,
        language,
        chunkCount: rows.length,
        contentHash,
        indexedWith: pipeline,
        sourceModifiedAt: given.sourceModifiedAt,
        now: now(),
      },
      alongside,
    )
    if (!isLive) return 'gone'
    return before?.liveVersion === undefined ? 'added' : 'changed'
  }

  return {
    pipelineFor,
    indexDocument,
    removeDocuments: (knowledgeBaseId: string, documentIds: readonly string[]) =>
      removeDocuments(db, knowledgeBaseId, documentIds),
    dropIndex: async (knowledgeBaseId: string) => {
      prepared.delete(knowledgeBaseId)
      await dropPartitions(db, knowledgeBaseId)
    },
    inspectIndex: () => inspectIndex(db, embedder?.key),
    /** After a sync: the embedded engine needs to be told to look at its tables again. */
    refreshStatistics: async (knowledgeBaseId: string, rewrittenShare: number) => {
      if (engine === 'postgres') return
      await prepareBase(knowledgeBaseId)
      await refreshStatistics(db, knowledgeBaseId, rewrittenShare > 0.2)
    },
  }
}

export type Indexing = ReturnType<typeof createIndexing>

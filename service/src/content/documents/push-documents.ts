import type { PushedDocument } from '@citewell/contract/pushed-documents'
import { lockType } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { Events } from '../../platform/events/events.ts'
import type { FreeSpace } from '../../platform/files/free-space.ts'
import { IndexFailure, type Indexing } from '../indexing/indexing.ts'
import { ParseFailure, type ParsedDocument, type ParseShare, type Parsing } from '../parsing/parsing.ts'
import type { Sources } from '../sources/sources.ts'
import { findDocumentByExternalId, findPushed, setVisibility, type DocumentsDb } from './documents-store.ts'

export interface PushDeps {
  db: DocumentsDb
  sources: Pick<Sources, 'openActive'>
  indexing: Pick<Indexing, 'indexDocument' | 'removeDocuments' | 'refreshStatistics' | 'settlePushed'>
  parse: Parsing['parse']
  /** Undefined: disk space is not checked. */
  freeSpace?: Pick<FreeSpace, 'reserve'> | undefined
  events: Events
  now: () => Date
}

export interface PushOutcome {
  id: string
  external_id: string
  outcome: 'added' | 'changed' | 'unchanged'
}

interface ParsedPush {
  pushed: PushedDocument
  document: ParsedDocument
}

const fieldOf = (pushed: PushedDocument) => (pushed.html === undefined ? 'markdown' : 'html')

const refusedAt = (index: number, pushed: PushedDocument, message: string) =>
  wrongField(`documents.${index}.${fieldOf(pushed)}`, message)

/** Documents that clients send to a source of type `push`; the service does not fetch them. */
export function createPush({ db, sources, indexing, parse, freeSpace, events, now }: PushDeps) {
  async function openPush(caller: Caller, sourceId: string) {
    const opened = await sources.openActive(caller, sourceId, 'config')
    if (opened.source.type !== 'push')
      throw new Refusal('CONFLICT', { because: 'Only push sources accept documents.' })
    return opened
  }

  async function parsePushed(
    pushed: PushedDocument,
    index: number,
    share: ParseShare,
    signal: AbortSignal,
  ): Promise<ParsedPush> {
    const field = fieldOf(pushed)
    const text = pushed.html ?? pushed.markdown ?? ''
    const input = { mediaType: `text/${field}`, bytes: Buffer.from(text), url: pushed.url, charset: 'utf-8' }
    const parsed = await parse(input, signal, share).catch((error: unknown) => {
      throw error instanceof ParseFailure ? refusedAt(index, pushed, error.message) : error
    })
    if (parsed.textLength === 0) throw refusedAt(index, pushed, 'contains no text')
    return { pushed, document: { ...parsed.document, title: pushed.title } }
  }

  /** Where the source or the base was deleted, that is told instead: sending the document again would not help. */
  async function refuseDeleted(caller: Caller, sourceId: string): Promise<never> {
    await openPush(caller, sourceId)
    throw new Refusal('CONFLICT', {
      because: 'The document was deleted while it was being indexed. Send it again.',
    })
  }

  /**
   * Indexes the documents in order; each can be found when the call returns. All are parsed first: one that cannot be parsed refuses the
   * whole request before anything is changed. One that cannot be indexed also refuses it, but the documents before it are then indexed;
   * sending them again changes nothing.
   */
  async function push(
    caller: Caller,
    sourceId: string,
    documents: readonly PushedDocument[],
    signal: AbortSignal,
  ): Promise<PushOutcome[]> {
    const { source, base } = await openPush(caller, sourceId)
    const share = { workspaceId: base.workspace_id, knowledgeBaseId: base.id, isAwaited: true }
    // Each document reserves its space when it is written; if the disk is full, nothing is parsed.
    ;(await freeSpace?.reserve('data', 0))?.release()
    const parsed: ParsedPush[] = []
    for (const [index, document] of documents.entries())
      parsed.push(await parsePushed(document, index, share, signal))

    const outcomes: PushOutcome[] = []
    for (const [index, { pushed, document }] of parsed.entries()) {
      const of = { knowledgeBaseId: base.id, sourceId, externalId: pushed.external_id }
      // Documents of an internal base are restricted, whatever the request says.
      const wanted =
        base.type === 'internal' && pushed.visibility === 'public' ? undefined : pushed.visibility
      let isHiddenOrShown = false
      const outcome = await indexing
        .indexDocument(
          {
            ...of,
            url: pushed.url,
            document,
            language: base.language ?? undefined,
            visibility: wanted,
            sourceModifiedAt: undefined,
          },
          signal,
          async (transaction) => {
            // In the same transaction as the text: the new text of a document that becomes restricted is never public.
            // Read in here: another request may have made the document live since this one came.
            const row = wanted && (await findPushed(transaction, of))
            if (wanted === undefined || row === undefined) return
            // The base may have become internal while the document was read.
            if (wanted === 'public' && (await lockType(transaction, base.id)) === 'internal') return
            const visible = { knowledgeBaseId: base.id, documentId: row.id, visibility: wanted, now: now() }
            isHiddenOrShown = await setVisibility(transaction, visible)
          },
        )
        .catch((error: unknown) => {
          throw error instanceof IndexFailure ? refusedAt(index, pushed, error.message) : error
        })
      const { id } = (await findPushed(db, of)) ?? (await refuseDeleted(caller, sourceId))
      if (isHiddenOrShown)
        events.announce('document.visibility-changed', { knowledgeBaseId: base.id, documentId: id })
      // Another request has sent a newer version in the meantime, which is kept: this one was replaced by it.
      outcomes.push({
        id,
        external_id: pushed.external_id,
        outcome: outcome === 'gone' ? 'changed' : outcome,
      })
    }
    const rewritten = outcomes.filter((one) => one.outcome === 'changed').length
    const changed = outcomes.filter((one) => one.outcome !== 'unchanged').length
    const before = source.document_count
    if (changed > 0) {
      const language = base.language ?? undefined
      await indexing.settlePushed(base.id, { language, changed, documents: before }, signal)
      await indexing.refreshStatistics(base.id, rewritten / Math.max(1, before))
    }
    return outcomes
  }

  /** Removes a pushed document. */
  async function remove(caller: Caller, sourceId: string, externalId: string): Promise<void> {
    const { base } = await openPush(caller, sourceId)
    const document = await findDocumentByExternalId(db, { knowledgeBaseId: base.id, sourceId, externalId })
    if (document === undefined)
      throw new Refusal('NOT_FOUND', { because: 'There is no document with this external_id.' })
    await indexing.removeDocuments(base.id, [document.id])
  }

  return { push, remove }
}

export type Push = ReturnType<typeof createPush>

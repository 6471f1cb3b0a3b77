import type { CustomAnswerChange, NewCustomAnswer } from '@citewell/contract/custom-answers'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import {
  lockType,
  type BaseHooks,
  type KnowledgeBaseRow,
  type KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { mayReadText, type Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { setVisibility } from '../documents/documents.ts'
import { IndexFailure, type Indexing } from '../indexing/indexing.ts'
import { ParseFailure, type ParsedDocument, type Parsing } from '../parsing/parsing.ts'
import { sourceOfGroup } from './answer-sources-store.ts'
import {
  findCuratedAmong,
  findCustomAnswer,
  findShownCustomAnswer,
  listCustomAnswers,
  moveToSource,
  saveCustomAnswer,
  type CustomAnswerRow,
  type CustomAnswersDb,
} from './custom-answers-store.ts'
import { countRecords } from '../../platform/storage/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export interface CustomAnswersDeps {
  db: CustomAnswersDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  indexing: Pick<Indexing, 'indexDocument' | 'removeDocuments'>
  parse: Parsing['parse']
  events: Pick<Events, 'announce'>
  /** The service's address, without a trailing slash; known once the service listens. */
  publicUrl: () => string
  newId: () => string
  now: () => Date
}

export const customAnswerHooks: BaseHooks = {
  records: [{ noun: 'custom-answers', table: 'custom_answers', name: 'question' }],
  owned: [{ counts: 'custom_answers', count: countRecords('custom_answers') }],
}

/** Path of the page that shows an answer, relative to the service's address. */
const pathOfCustomAnswer = (id: string) => `/answers/${id}`

/** An answer as the caller may see it. */
export type ShownCustomAnswer = CustomAnswerRow & { isWithheld: boolean }

const shownTo = (caller: Caller, base: KnowledgeBaseRow, row: CustomAnswerRow): ShownCustomAnswer => ({
  ...row,
  isWithheld: !mayReadText(caller, base, row),
})

const refusedAnswer = (message: string) => wrongField('answer', message)

/** A question and its answer, written by the owner of the base: search treats it like any other document. */
export function createCustomAnswers(deps: CustomAnswersDeps) {
  const { db, knowledgeBases, indexing, events, newId, now } = deps
  const bases = createRecordBases({ db, knowledgeBases, table: 'custom_answers', noun: 'custom answer' })

  async function parseAnswer(
    { question, answer }: Pick<NewCustomAnswer, 'question' | 'answer'>,
    url: string,
    base: KnowledgeBaseRow,
    signal: AbortSignal,
  ): Promise<ParsedDocument> {
    const share = { workspaceId: base.workspace_id, knowledgeBaseId: base.id, isAwaited: true }
    const input = { mediaType: 'text/markdown', bytes: Buffer.from(answer), url, charset: 'utf-8' }
    const parsed = await deps.parse(input, signal, share).catch((error: unknown) => {
      throw error instanceof ParseFailure ? refusedAnswer(error.message) : error
    })
    if (parsed.textLength === 0) throw refusedAnswer('contains no text')
    return { ...parsed.document, title: question }
  }

  /** Indexes the answer, and writes it in the transaction that makes it visible. */
  async function write(
    base: KnowledgeBaseRow,
    written: NewCustomAnswer & { id: string; createdAt: Date },
    from: CustomAnswerRow | undefined,
    signal: AbortSignal,
  ): Promise<CustomAnswerRow> {
    const { id, question, answer, url } = written
    const address = url ?? `${deps.publicUrl()}${pathOfCustomAnswer(id)}`
    const document = await parseAnswer(written, address, base, signal)
    const of = { knowledgeBaseId: base.id, newId, now: now() }
    const to = await db
      .transaction()
      .execute((transaction) => sourceOfGroup(transaction, { ...of, groupId: written.source_group_id }))
    // It is indexed in its current source and moved once the new text is live, so that it is never in two sources.
    const sourceId = from?.source_id ?? to
    const mustStayRestricted = base.type === 'internal' && written.visibility === 'public'
    const outcome = await indexing
      .indexDocument(
        {
          knowledgeBaseId: base.id,
          sourceId,
          externalId: id,
          url: address,
          document,
          language: base.language ?? undefined,
          visibility: mustStayRestricted ? undefined : written.visibility,
          sourceModifiedAt: undefined,
        },
        signal,
        async (transaction) => {
          const times = { created_at: written.createdAt, updated_at: now() }
          const key = { knowledge_base_id: base.id, id, source_id: sourceId, external_id: id }
          await saveCustomAnswer(transaction, { ...key, question, answer, url, ...times })
          if (from === undefined) return
          const place = { knowledgeBaseId: base.id, documentId: from.document_id }
          const isInternal = (await lockType(transaction, base.id)) === 'internal'
          if (!isInternal || written.visibility === 'restricted')
            await setVisibility(transaction, { ...place, visibility: written.visibility, now: now() })
          await moveToSource(transaction, { ...place, sourceId: to })
        },
      )
      .catch((error: unknown) => {
        throw error instanceof IndexFailure ? refusedAnswer(error.message) : error
      })
    const row = await findCustomAnswer(db, base.id, id)
    if (row === undefined)
      throw from === undefined && outcome === 'gone' ? concurrentChange() : bases.notFound()
    if (outcome === 'gone') throw concurrentChange()
    events.announce('document.visibility-changed', { knowledgeBaseId: base.id, documentId: row.document_id })
    return row
  }

  const concurrentChange = () =>
    new Refusal('CONFLICT', { because: 'Another request changed or deleted it in the meantime.' })

  /** Creates an answer, which can be found when the call returns. In an internal base it is restricted. */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewCustomAnswer,
    signal: AbortSignal,
  ): Promise<ShownCustomAnswer> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const written = { ...given, id: newId(), createdAt: now() }
    return shownTo(caller, base, await write(base, written, undefined, signal))
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest,
  ): Promise<ShownCustomAnswer[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    const rows = await listCustomAnswers(db, { ...page, knowledgeBaseId })
    return rows.map((row) => shownTo(caller, base, row))
  }

  async function openAnswer(
    caller: Caller,
    id: string,
  ): Promise<{ base: KnowledgeBaseRow; row: CustomAnswerRow }> {
    const base = await bases.openActive(caller, id, 'config')
    const row = await findCustomAnswer(db, base.id, id)
    if (row === undefined) throw bases.notFound()
    return { base, row }
  }

  /**
   * Changes the given fields; the next question sees them. Throws KNOWLEDGE_BASE_INTERNAL if an answer of an internal base is to be public.
   */
  async function change(
    caller: Caller,
    id: string,
    changes: CustomAnswerChange,
    signal: AbortSignal,
  ): Promise<ShownCustomAnswer> {
    const { base, row } = await openAnswer(caller, id)
    if (changes.visibility === 'public' && base.type === 'internal')
      throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
        because: 'Custom answers of an internal knowledge base are restricted.',
      })
    const after = {
      id,
      createdAt: row.created_at,
      question: changes.question ?? row.question,
      answer: changes.answer ?? row.answer,
      url: changes.url === undefined ? row.url : changes.url,
      visibility: changes.visibility ?? row.visibility,
      source_group_id: changes.source_group_id === undefined ? row.source_group_id : changes.source_group_id,
    }
    return shownTo(caller, base, await write(base, after, row, signal))
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { base, row } = await openAnswer(caller, id)
    await indexing.removeDocuments(base.id, [row.document_id])
  }

  return {
    create,
    list,
    change,
    remove,
    /** For the answer's page: an answer that the caller may read, who is anonymous or a member of these bases. */
    readShown: (id: string, memberBaseIds: readonly string[]) => findShownCustomAnswer(db, id, memberBaseIds),
    /** Which of the documents are custom answers, each with its number of passages. */
    findAmong: (knowledgeBaseId: string, documentIds: readonly string[]) =>
      findCuratedAmong(db, knowledgeBaseId, documentIds),
  }
}

export type CustomAnswers = ReturnType<typeof createCustomAnswers>

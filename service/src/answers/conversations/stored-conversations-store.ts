import { sql, type ExpressionBuilder, type Selectable } from 'kysely'
import { MESSAGE_COLUMNS } from './message-columns.ts'
import type { MessagesTable, ThreadsTable } from './conversations-tables.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { withinBase } from '../../platform/storage/within-base.ts'
import type { ConversationPosition } from './conversation-cursor.ts'

export type StoredConversationsDb = Db<'threads' | 'messages' | 'feedback' | 'documents' | 'sources'>

/** Filters of the list of conversations. Undefined ones do not apply. */
export interface ConversationFilter {
  surface: string | undefined
  rating: 'up' | 'down' | undefined
  covered: boolean | undefined
  /** Started at this time or later. */
  from: Date | undefined
  /** Started before this time. */
  before: Date | undefined
  /** Stems that must all occur in one message. */
  terms: readonly string[]
  /** The reader by any of these names. */
  userRefs: readonly string[] | undefined
}

type OfThread = ExpressionBuilder<Pick<Tables, 'threads' | 'messages' | 'feedback'>, 'threads'>

const messagesOf = (row: OfThread) =>
  row
    .selectFrom('messages')
    .select(sql.lit(1).as('one'))
    .whereRef('messages.knowledge_base_id', '=', 'threads.knowledge_base_id')
    .whereRef('messages.thread_id', '=', 'threads.id')

/** Complete answers that are covered, or not. */
const hasAnswer = (row: OfThread, covered: boolean) =>
  row.exists(messagesOf(row).where('messages.stopped_by', 'is', null).where('messages.covered', '=', covered))

const hasRating = (row: OfThread, vote: 'up' | 'down') =>
  row.exists(
    messagesOf(row)
      .innerJoin('feedback', withinBase('feedback.message_id', 'messages.id'))
      .where('feedback.vote', '=', vote),
  )

/** Whether all pages that an answer used are public now, as in `findReadable`. */
const usesPublicPages = sql<boolean>`not exists (
  select from (
    select unnest(messages.drew_on) as id
    union all select (citation ->> 'document_id')::uuid from jsonb_array_elements(messages.citations) citation
  ) page where not exists (
    select from documents where documents.knowledge_base_id = messages.knowledge_base_id and documents.id = page.id
      and documents.visibility = 'public' and documents.live_version is not null))`

/** An answer, by its base and its message. */
export interface AnswerOf {
  knowledgeBaseId: string
  messageId: string
}

/** The ids of those messages whose answers used pages only that are public now. One that is not kept any more is none of them. */
export async function findPublicAnswers(
  db: Db<'messages' | 'documents'>,
  answers: readonly AnswerOf[],
): Promise<Set<string>> {
  if (answers.length === 0) return new Set()
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where((row) =>
      row(
        row.refTuple('knowledge_base_id', 'id'),
        'in',
        answers.map(({ knowledgeBaseId, messageId }) => row.tuple(knowledgeBaseId, messageId)),
      ),
    )
    .where(usesPublicPages)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Conversations of a base to be found. */
interface ConversationsOf {
  knowledgeBaseId: string
  filter: ConversationFilter
  /** The words of answers that used other pages are not compared: who may not read such an answer must not learn what it says. */
  publicOnly: boolean
}

/** The conversations of a base that a filter finds. */
function filteredThreads(
  db: StoredConversationsDb,
  { knowledgeBaseId, filter, publicOnly }: ConversationsOf,
) {
  const { surface, rating, covered, from, before, terms, userRefs } = filter
  return db
    .selectFrom('threads')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .$if(surface !== undefined, (query) => query.where('surface', '=', surface ?? ''))
    .$if(userRefs !== undefined, (query) =>
      query.where('user_ref', '=', sql<string>`any(${[...(userRefs ?? [])]}::text[])`),
    )
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? new Date()))
    .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? new Date()))
    .$if(rating !== undefined, (query) => query.where((row) => hasRating(row, rating ?? 'up')))
    .$if(covered === true, (query) =>
      query.where((row) => row.and([hasAnswer(row, true), row.not(hasAnswer(row, false))])),
    )
    .$if(covered === false, (query) => query.where((row) => hasAnswer(row, false)))
    .$if(terms.length > 0, (query) =>
      query.where((row) =>
        row.exists(
          messagesOf(row)
            .where(sql<boolean>`messages.terms @> ${[...terms]}::text[]`)
            .$if(publicOnly, (found) => found.where(usesPublicPages)),
        ),
      ),
    )
}

/** Conversations of a base, newest first. */
export async function listThreads(
  db: StoredConversationsDb,
  of: ConversationsOf & { after: ConversationPosition | undefined; limit: number },
): Promise<ThreadsTable[]> {
  const { after } = of
  return await filteredThreads(db, of)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}

export interface ThreadFigures {
  thread_id: string
  first_query: string
  message_count: number
  /** Null if no answer was finished. */
  covered: boolean | null
  up: number
  down: number
}

/** Summary figures of some conversations. */
export async function readFigures(
  db: StoredConversationsDb,
  knowledgeBaseId: string,
  threadIds: readonly string[],
): Promise<Map<string, ThreadFigures>> {
  const { rows } = await sql<ThreadFigures>`
    select thread_id, (array_agg(query order by m.created_at, m.id))[1] as first_query, count(*)::int as message_count,
      bool_and(covered) filter (where stopped_by is null) as covered,
      (count(*) filter (where vote = 'up'))::int as up, (count(*) filter (where vote = 'down'))::int as down
    from messages m
    left join feedback f on f.knowledge_base_id = m.knowledge_base_id and f.message_id = m.id
    where m.knowledge_base_id = ${knowledgeBaseId} and thread_id = any(${[...threadIds]}::uuid[])
    group by thread_id`.execute(db)
  return new Map(rows.map((row) => [row.thread_id, row]))
}

/** A message with its rating. */
export type StoredMessage = Omit<Selectable<MessagesTable>, 'trace' | 'terms'> & {
  vote: 'up' | 'down' | null
  comment: string | null
  rated_at: Date | null
  rating_changed_at: Date | null
}

/** The first messages of a conversation, oldest first. */
export async function listMessages(
  db: StoredConversationsDb,
  of: { knowledgeBaseId: string; threadId: string; limit: number },
): Promise<StoredMessage[]> {
  return await db
    .selectFrom('messages')
    .leftJoin('feedback', withinBase('feedback.message_id', 'messages.id'))
    .select(MESSAGE_COLUMNS)
    .select([
      'messages.first_ms',
      'messages.total_ms',
      'feedback.vote',
      'feedback.comment',
      'feedback.created_at as rated_at',
      'feedback.updated_at as rating_changed_at',
    ])
    .where('messages.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('messages.thread_id', '=', of.threadId)
    .orderBy('messages.created_at')
    .orderBy('messages.id')
    .limit(of.limit)
    .execute()
}

/** A message with its rating, and who asked where. */
export type MessageOfFilter = Awaited<ReturnType<typeof listFilteredMessages>>[number]

/** The messages of the conversations that a filter finds, newest first. */
export async function listFilteredMessages(
  db: StoredConversationsDb,
  of: ConversationsOf & { limit: number },
) {
  return await db
    .selectFrom('messages')
    .innerJoin('threads', withinBase('threads.id', 'messages.thread_id'))
    .leftJoin('feedback', withinBase('feedback.message_id', 'messages.id'))
    .select([
      'messages.id',
      'messages.thread_id',
      'messages.query',
      'messages.answer',
      'messages.citations',
      'messages.drew_on',
      'messages.covered',
      'messages.confidence',
      'messages.stopped_by',
      'messages.first_ms',
      'messages.total_ms',
      'messages.created_at',
      'threads.surface',
      'threads.user_ref',
      'feedback.vote',
      'feedback.comment',
    ])
    .where('messages.knowledge_base_id', '=', of.knowledgeBaseId)
    .where('messages.thread_id', 'in', filteredThreads(db, of).select('id'))
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.id', 'desc')
    .limit(of.limit)
    .execute()
}

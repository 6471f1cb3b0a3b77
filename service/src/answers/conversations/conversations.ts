import type { BaseHooks } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { SurfaceName } from '@citewell/contract/surfaces'
import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import type { EarlierTurn, Question } from '../answering/answering.ts'
import type { Citation } from '../citations/citations.ts'
import { conversationTerms } from './conversation-terms.ts'
import { findMessage, findReadable, isMessageOf, readTurns, saveTurn } from './conversations-store.ts'
import { storableJson, storableText } from '../../kernel/storable-text.ts'
import { countRecords, findRecord } from '../../platform/storage/base-records.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'

export { cursorOf, readCursor, type ConversationPosition } from './conversation-cursor.ts'
export { MESSAGE_COLUMNS } from './message-columns.ts'
export { createOwnConversations, type OwnConversations } from './own-conversations.ts'
export { filterOf } from './conversation-filter.ts'
export { findPublicAnswers } from './stored-conversations-store.ts'
export {
  createStoredConversations,
  pagesReadableBy,
  type AskedFilter,
  type StoredConversations,
} from './stored-conversations.ts'

/** Who asks. A thread can only be continued in its own base, by the key or person that began it. */
interface Asker {
  surface: SurfaceName
  /** `undefined` if a member asks. */
  clientKeyId: string | undefined
  /** The caller's name for the reader, for analytics; the member's own id if there is no key. */
  userRef: string | undefined
}

/** A thread that a request names. */
export interface NamedThread {
  knowledgeBaseId: string
  asker: Asker
  threadId: string
}

/** A question in its conversation, with the scope that its asker may read. */
export type AskedQuestion = Pick<
  Question,
  'knowledgeBaseId' | 'query' | 'threadId' | 'asker' | 'groupIds' | 'includeRestricted'
>

/** A question with its answer, to be stored. */
export interface NewTurn {
  question: AskedQuestion
  rewrittenQuery: string | undefined
  answer: string
  citations: readonly Citation[]
  covered: boolean
  /** 0 to 1. */
  confidence: number
  /** Why it ended early (an error code, or `cancelled` by the reader); `undefined` for a complete answer. */
  stoppedBy: string | undefined
  /** Documents whose text the writer was shown, in the evidence or in earlier answers. */
  drewOn?: readonly string[]
  /** Every step with its duration, for the team. */
  trace: object
}

/** The durations of an answer that a trace contains, in milliseconds. */
interface TraceTimes {
  firstMs?: number | undefined
  totalMs?: number | undefined
}

export interface ConversationsDeps {
  db: WholeDb
  events: Pick<Events, 'announce'>
  now: () => Date
  /** Ids of threads and messages: UUID v4, because a reader uses them as a capability. */
  newTicketId: () => string
  /** Further writes in the transaction that stores a complete answer. */
  alsoStore?: (transaction: WholeDb, kept: StoredAnswer) => Promise<void>
}

/** A complete answer as it is stored. */
export interface StoredAnswer {
  knowledgeBaseId: string
  threadId: string
  messageId: string
  answer: string
  /** Whether all of its pages are public: otherwise it is not sent to webhooks and integrations. */
  isPublic: boolean
}

export const conversationHooks: BaseHooks = {
  records: [
    { noun: 'conversations', table: 'threads' },
    { noun: 'messages', table: 'messages' },
  ],
  owned: [{ counts: 'conversations', count: countRecords('threads') }],
}

/** How many earlier turns are passed on with a question. */
const EARLIER_TURNS = 8

/** Replaces an earlier answer that this reader may no longer read. */
const WITHDRAWN = '(This answer drew on a page that is no longer available.)'

export function createConversations({ db, events, now, newTicketId, alsoStore }: ConversationsDeps) {
  async function isOwn({ knowledgeBaseId, asker, threadId }: NamedThread): Promise<boolean> {
    const found = isUuid(threadId)
      ? await findRecord(db, 'threads', { knowledgeBaseId, id: threadId })
      : undefined
    if (found === undefined || found.client_key_id !== (asker.clientKeyId ?? null)) return false
    // Without a key the conversation belongs to one member: no other member may continue it.
    return found.client_key_id !== null || found.user_ref === (asker.userRef ?? null)
  }

  /** The id of the thread to continue. An invalid or unknown one, or one of another asker, begins a new conversation. */
  async function ownThreadOrNone(named: NamedThread): Promise<string | undefined> {
    return (await isOwn(named)) ? named.threadId : undefined
  }

  /**
   * The id of the thread to continue.
   *
   * @throws Refusal BAD_REQUEST for a malformed id; NOT_FOUND if it is unknown, or belongs to another base or asker.
   */
  async function requireOwnThread(named: NamedThread): Promise<string> {
    if (!isUuid(named.threadId))
      throw new Refusal('BAD_REQUEST', { because: 'The thread id is not a valid id.' })
    if (!(await isOwn(named))) throw new Refusal('NOT_FOUND', { because: 'There is no such thread.' })
    return named.threadId
  }

  /**
   * The last turns before a question, oldest first. A document that was deleted, or that this asker may not read (any more),
   * is not named, and an answer whose writer was shown it is not repeated.
   */
  async function history(question: AskedQuestion): Promise<Required<EarlierTurn>[]> {
    const { knowledgeBaseId, asker, threadId } = question
    if (threadId === undefined || !(await isOwn({ knowledgeBaseId, asker, threadId }))) return []
    const turns = await readTurns(db, knowledgeBaseId, threadId, EARLIER_TURNS)
    // `storeTurn` wrote the column.
    const citationsOf = (turn: (typeof turns)[number]) => turn.citations as Citation[]
    // A model may repeat what it was shown without citing it, or text of an earlier answer: all of it must be readable.
    const sourcesOf = (turn: (typeof turns)[number]) => [
      ...citationsOf(turn).map((citation) => citation.document_id),
      ...turn.drew_on,
    ]
    const readable = await findReadable(db, knowledgeBaseId, [...new Set(turns.flatMap(sourcesOf))], question)
    return turns.map((turn) => {
      const remaining = citationsOf(turn).filter((citation) => readable.has(citation.document_id))
      const isReadable = sourcesOf(turn).every((documentId) => readable.has(documentId))
      return {
        query: turn.query,
        answer: isReadable ? turn.answer : WITHDRAWN,
        drewOn: isReadable ? turn.drew_on : [],
        // The nearest passages of a question that was not covered are not what the conversation is about.
        citedTitles: turn.covered ? [...new Set(remaining.map((citation) => citation.title))] : [],
      }
    })
  }

  /** For questions of the team: whether all used pages are public. A "not covered" answer may name restricted ones. */
  async function isPublic({ question, citations, drewOn }: NewTurn): Promise<boolean> {
    if (!question.includeRestricted) return true
    const pages = [...citations.map((citation) => citation.document_id), ...(drewOn ?? [])]
    const anyone = { groupIds: undefined, includeRestricted: false }
    const readable = await findReadable(db, question.knowledgeBaseId, [...new Set(pages)], anyone)
    return pages.length > 0 && pages.every((documentId) => readable.has(documentId))
  }

  /**
   * Stores a turn, with its thread if it is the first; `undefined`, and nothing stored, under zero retention, or if its thread was deleted.
   * Whether the thread may be continued is not checked again here.
   */
  async function storeTurn(turn: NewTurn): Promise<{ threadId: string; messageId: string } | undefined> {
    const { knowledgeBaseId, query, asker } = turn.question
    const threadId = turn.question.threadId ?? newTicketId()
    const messageId = newTicketId()
    const times = { created_at: now(), updated_at: now() }
    const answer = storableText(turn.answer)
    const { firstMs, totalMs } = turn.trace as TraceTimes
    const kept = { knowledgeBaseId, threadId, messageId, answer, isPublic: await isPublic(turn) }
    const isKept = await saveTurn(
      db,
      {
        knowledge_base_id: knowledgeBaseId,
        id: threadId,
        client_key_id: asker.clientKeyId ?? null,
        surface: asker.surface,
        user_ref: asker.userRef === undefined ? null : storableText(asker.userRef),
        ...times,
      },
      {
        knowledge_base_id: knowledgeBaseId,
        id: messageId,
        thread_id: threadId,
        query: storableText(query),
        rewritten_query: turn.rewrittenQuery === undefined ? null : storableText(turn.rewrittenQuery),
        answer,
        citations: storableJson(turn.citations),
        covered: turn.covered,
        confidence: turn.confidence,
        stopped_by: turn.stoppedBy ?? null,
        drew_on: [...(turn.drewOn ?? [])],
        trace: storableJson(turn.trace),
        first_ms: firstMs ?? null,
        total_ms: totalMs ?? null,
        terms: conversationTerms(query, answer),
        ...times,
      },
      turn.question.threadId !== undefined,
      async (transaction) => {
        if (turn.stoppedBy === undefined) await alsoStore?.(transaction, kept)
      },
    )
    if (!isKept) return undefined
    if (turn.stoppedBy === undefined)
      events.announce('conversation.completed', { knowledgeBaseId, threadId, messageId })
    return { threadId, messageId }
  }

  /** The base of a message, and its surface; `undefined` for an unknown one. */
  async function originOfMessage(messageId: string) {
    const found = await findMessage(db, messageId)
    if (found === undefined) return undefined
    return {
      knowledgeBaseId: found.knowledge_base_id,
      workspaceId: found.workspace_id,
      surface: found.surface,
    }
  }

  return {
    ownThreadOrNone,
    requireOwnThread,
    history,
    storeTurn,
    originOfMessage,
    /** Whether a member got this answer to a question of their own, in this base. */
    isMessageOf: async (of: Parameters<typeof isMessageOf>[1]) => await isMessageOf(db, of),
  }
}

export type Conversations = ReturnType<typeof createConversations>

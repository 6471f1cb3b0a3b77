import type { SurfaceName } from '@citewell/contract/surfaces'
import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Citation } from '../citations/citations.ts'
import { conversationTerms } from './conversation-terms.ts'
import {
  findMessage,
  findReadable,
  findThread,
  readTurns,
  saveTurn,
  type ConversationsDb,
} from './conversations-store.ts'
import { storableJson, storableText } from './storable.ts'
import { countRecords } from '../../platform/storage/base-records.ts'

export { cursorOf, readCursor, type ConversationPlace } from './conversation-cursor.ts'
export { createKeptConversations, pagesReadableBy } from './kept-conversations.ts'

/** Who asks. A thread answers only the base, and the key or person, that it began with. */
interface Asker {
  surface: SurfaceName
  /** `undefined` where a person of the team asks. */
  clientKeyId: string | undefined
  /** The reader as the caller names them, for analytics; the person's own id where there is no key. */
  userRef: string | undefined
}

/** A thread that someone names. */
export interface NamedThread {
  knowledgeBaseId: string
  asker: Asker
  threadId: string
}

/** A question in its conversation, with what its asker may read. */
export interface AskedQuestion {
  knowledgeBaseId: string
  query: string
  /** The conversation that it goes on with; `undefined` begins one. */
  threadId: string | undefined
  asker: Asker
  /** Only sources of these groups; `undefined` for all of them. */
  groupIds: readonly string[] | undefined
  includeRestricted: boolean
}

/** A question and its answer from earlier in a conversation. */
export interface EarlierTurn {
  query: string
  answer: string
  /** Titles of the pages that the answer cites, as far as this asker may read them now. */
  citedTitles: string[]
  /** Documents whose words may stand in the answer. */
  drewOn: readonly string[]
}

/** A question with its answer, to be kept. */
export interface NewTurn {
  question: AskedQuestion
  rewrittenQuery: string | undefined
  answer: string
  citations: readonly Citation[]
  covered: boolean
  /** 0 to 1. */
  confidence: number
  /** Why it ended early (an error code, `cancelled` by the reader); `undefined` for a whole answer. */
  stoppedBy: string | undefined
  /** Documents whose words its writer was shown, in the evidence or in earlier answers. */
  drewOn?: readonly string[]
  /** Every step with its time, for the team. */
  trace: object
}

/** What a trace tells of the time of an answer, in milliseconds. */
interface TraceTimes {
  firstMs?: number | undefined
  totalMs?: number | undefined
}

export interface ConversationsDeps {
  db: ConversationsDb
  now: () => Date
  /** Ids of threads and messages: v4, since a reader holds them like a ticket. */
  newTicketId: () => string
  /** What else is written in the transaction that keeps a whole answer. */
  alsoKeep?: (transaction: ConversationsDb, kept: KeptAnswer) => Promise<void>
}

/** A whole answer that is being kept, as it is kept. */
export interface KeptAnswer {
  knowledgeBaseId: string
  threadId: string
  messageId: string
  answer: string
  /** Whether everything that it draws on is public: else it is told to nobody outside. */
  isPublic: boolean
}

/** How many conversations the deletion of a base takes along. */
export const ownedConversations = { counts: 'conversations' as const, count: countRecords('threads') }

/** How far back a question looks. */
const EARLIER_TURNS = 8

/** Said in place of an earlier answer that this reader may no longer read. */
const WITHDRAWN = '(This answer drew on a page that is no longer available.)'

export function createConversations({ db, now, newTicketId, alsoKeep }: ConversationsDeps) {
  async function isOwn({ knowledgeBaseId, asker, threadId }: NamedThread): Promise<boolean> {
    const found = isUuid(threadId) ? await findThread(db, knowledgeBaseId, threadId) : undefined
    if (found === undefined || found.client_key_id !== (asker.clientKeyId ?? null)) return false
    // Without a key it is a person's own conversation: nobody else of the team goes on with it.
    return found.client_key_id !== null || found.user_ref === (asker.userRef ?? null)
  }

  /** The id of the thread to go on with. One that is invalid, unknown or someone else's begins a new conversation. */
  async function ownThreadOrNone(named: NamedThread): Promise<string | undefined> {
    return (await isOwn(named)) ? named.threadId : undefined
  }

  /**
   * The id of the thread to go on with.
   *
   * @throws Refusal BAD_REQUEST where it is no id; NOT_FOUND where it is unknown, or another base's or asker's.
   */
  async function requireOwnThread(named: NamedThread): Promise<string> {
    if (!isUuid(named.threadId))
      throw new Refusal('BAD_REQUEST', { because: 'The thread id is not a valid id.' })
    if (!(await isOwn(named))) throw new Refusal('NOT_FOUND', { because: 'There is no such thread.' })
    return named.threadId
  }

  /**
   * The last turns before a question, oldest first. A document that is gone, or that this asker may not read (any more),
   * is not named, and an answer whose writer was shown it is not repeated.
   */
  async function history(question: AskedQuestion): Promise<EarlierTurn[]> {
    const { knowledgeBaseId, asker, threadId } = question
    if (threadId === undefined || !(await isOwn({ knowledgeBaseId, asker, threadId }))) return []
    const turns = await readTurns(db, knowledgeBaseId, threadId, EARLIER_TURNS)
    // The column holds what `storeTurn` wrote into it.
    const citationsOf = (turn: (typeof turns)[number]) => turn.citations as Citation[]
    // A model may repeat what it was shown without citing it, or what an earlier answer said: all of it has to be readable.
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
        citedTitles: [...new Set(remaining.map((citation) => citation.title))],
      }
    })
  }

  /** Of what the team asked, only what is known to come from public pages: a refusal may name restricted ones. */
  async function isPublic({ question, citations, drewOn }: NewTurn): Promise<boolean> {
    if (!question.includeRestricted) return true
    const pages = [...citations.map((citation) => citation.document_id), ...(drewOn ?? [])]
    const anyone = { groupIds: undefined, includeRestricted: false }
    const readable = await findReadable(db, question.knowledgeBaseId, [...new Set(pages)], anyone)
    return pages.length > 0 && pages.every((documentId) => readable.has(documentId))
  }

  /**
   * Keeps a turn, with the thread where it is its first; `undefined`, and nothing kept, under zero data retention.
   * Whether a thread may be gone on with is not asked again here.
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
      async (transaction) => {
        if (turn.stoppedBy === undefined) await alsoKeep?.(transaction, kept)
      },
    )
    return isKept ? { threadId, messageId } : undefined
  }

  /** Where a message belongs, and from which surface it came; `undefined` for an unknown one. */
  async function originOfMessage(messageId: string) {
    const found = await findMessage(db, messageId)
    if (found === undefined) return undefined
    return {
      knowledgeBaseId: found.knowledge_base_id,
      workspaceId: found.workspace_id,
      surface: found.surface,
    }
  }

  return { ownThreadOrNone, requireOwnThread, history, storeTurn, originOfMessage }
}

export type Conversations = ReturnType<typeof createConversations>

import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBaseRow, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import type { ThreadsTable } from './conversations-tables.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { storedCitations, type Citation } from '../citations/citations.ts'
import type { ConversationPosition } from './conversation-cursor.ts'
import { findReadable } from './conversations-store.ts'
import {
  listFilteredMessages,
  listMessages,
  listThreads,
  readFigures,
  type ConversationFilter,
  type MessageOfFilter,
  type StoredConversationsDb,
  type StoredMessage,
  type ThreadFigures,
} from './stored-conversations-store.ts'
import { deleteRecord, findRecord } from '../../platform/storage/base-records.ts'

export interface StoredConversationsDeps {
  db: StoredConversationsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  /** The pseudonym of a reader whose name is masked. */
  pseudonymOf: (name: string) => string
}

/** What a caller looks for: a reader by the name that was sent with the questions. */
export type AskedFilter = Omit<ConversationFilter, 'userRefs'> & { user: string | undefined }

export interface CountedThread {
  thread: ThreadsTable
  figures: ThreadFigures | undefined
}

export interface WholeConversation extends CountedThread {
  messages: (StoredMessage & { isWithheld: boolean })[]
}

/** The pages that an answer used, as far as they are known. */
const pagesOf = ({ drew_on: drewOn, citations }: Pick<StoredMessage, 'drew_on' | 'citations'>): string[] => [
  ...drewOn,
  ...(citations as Citation[]).map(({ document_id }) => document_id),
]

/** Which of some pages this member may read: without Chat on the base, only pages that are public now. */
export async function pagesReadableBy(
  db: Db<'documents' | 'sources'>,
  caller: Caller,
  base: Parameters<typeof canUse>[1],
  documentIds: Iterable<string>,
): Promise<(documentId: string) => boolean> {
  if (canUse(caller, base, 'chat')) return () => true
  const everyone = { groupIds: undefined, includeRestricted: false }
  const readable = await findReadable(db, base.id, [...new Set(documentIds)], everyone)
  return (documentId) => readable.has(documentId)
}

/** A thread with its messages; what the caller may not read is marked as withheld. */
export async function readWhole(
  snapshot: StoredConversationsDb,
  caller: Caller,
  { base, thread }: { base: KnowledgeBaseRow; thread: ThreadsTable },
): Promise<WholeConversation> {
  const figures = await readFigures(snapshot, base.id, [thread.id])
  const messages = await listMessages(snapshot, {
    knowledgeBaseId: base.id,
    threadId: thread.id,
    limit: LIMITS.conversationMessages,
  })
  const mayRead = await pagesReadableBy(snapshot, caller, base, messages.flatMap(pagesOf))
  return {
    thread,
    figures: figures.get(thread.id),
    messages: messages.map((message) => ({
      ...message,
      isWithheld: !pagesOf(message).every((documentId) => mayRead(documentId)),
    })),
  }
}

/** The conversations of a base, for members with Config on it. */
export function createStoredConversations(deps: StoredConversationsDeps) {
  const { db, knowledgeBases, addressOf, pseudonymOf } = deps
  const bases = createRecordBases({ db, knowledgeBases, table: 'threads', noun: 'conversation' })

  /** A reader is kept by name, or by pseudonym if the base masked the name. */
  const keptFilter = ({ user, ...filter }: AskedFilter): ConversationFilter => ({
    ...filter,
    userRefs: user === undefined ? undefined : [user, pseudonymOf(user)],
  })

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    of: { filter: AskedFilter; after: ConversationPosition | undefined; limit: number },
  ): Promise<CountedThread[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await inOneSnapshot(db, async (snapshot) => {
      const asked = { ...of, filter: keptFilter(of.filter), publicOnly: !canUse(caller, base, 'chat') }
      const threads = await listThreads(snapshot, { ...asked, knowledgeBaseId: base.id })
      const ids = threads.map(({ id }) => id)
      const figures = await readFigures(snapshot, base.id, ids)
      return threads.map((thread) => ({ thread, figures: figures.get(thread.id) }))
    })
  }

  async function get(caller: Caller, threadId: string): Promise<WholeConversation> {
    const base = await bases.open(caller, threadId, 'config')
    return await inOneSnapshot(db, async (snapshot) => {
      const thread = await findRecord(snapshot, 'threads', { knowledgeBaseId: base.id, id: threadId })
      if (thread === undefined) throw bases.notFound()
      return await readWhole(snapshot, caller, { base, thread })
    })
  }

  /** The messages of the conversations that a filter finds, newest first; what the caller may not read is marked as withheld. */
  async function listMessagesOf(
    caller: Caller,
    knowledgeBaseId: string,
    of: { filter: AskedFilter; limit: number },
  ): Promise<(MessageOfFilter & { isWithheld: boolean; citedUrls: string[] })[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await inOneSnapshot(db, async (snapshot) => {
      const asked = { ...of, filter: keptFilter(of.filter), publicOnly: !canUse(caller, base, 'chat') }
      const messages = await listFilteredMessages(snapshot, { ...asked, knowledgeBaseId: base.id })
      const mayRead = await pagesReadableBy(snapshot, caller, base, messages.flatMap(pagesOf))
      return messages.map((message) => ({
        ...message,
        isWithheld: !pagesOf(message).every((documentId) => mayRead(documentId)),
        citedUrls: storedCitations(message.citations as Citation[], addressOf).map(({ url }) => url),
      }))
    })
  }

  /** Deletes a conversation for good, on an archived base too: a reader's request for deletion must not have to wait for a restore. */
  async function remove(caller: Caller, threadId: string): Promise<void> {
    const base = await bases.open(caller, threadId, 'config')
    await deleteRecord(db, 'threads', { knowledgeBaseId: base.id, id: threadId })
  }

  return { list, listMessages: listMessagesOf, get, remove }
}

export type StoredConversations = ReturnType<typeof createStoredConversations>

import { recordActivity } from '../../accounts/activity-log/activity-log.ts'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import type { ConversationPosition } from './conversation-cursor.ts'
import {
  findOwnThread,
  listOwnThreads,
  type ChattingMember,
  type OwnThread,
} from './own-conversations-store.ts'
import { readWhole, type CountedThread, type WholeConversation } from './stored-conversations.ts'
import { readFigures } from './stored-conversations-store.ts'

export interface OwnConversationsDeps {
  db: WholeDb
  knowledgeBases: Pick<KnowledgeBases, 'open'>
  now: () => Date
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such conversation.' })

function chattingMember({ userId, workspaces, grants = [] }: Caller): ChattingMember {
  const idsWhere = (isPlainMember: boolean) =>
    workspaces.filter(({ role }) => (role === 'member') === isPlainMember).map(({ id }) => id)
  return {
    userId,
    wholeWorkspaceIds: idsWhere(false),
    memberWorkspaceIds: idsWhere(true),
    grantedIds: grants
      .filter(({ permissions }) => permissions.includes('chat'))
      .map(({ knowledgeBaseId }) => knowledgeBaseId),
  }
}

/** What a member asked, for that member: in bases that they may still chat in. Others' conversations are not there. */
export function createOwnConversations({ db, knowledgeBases, now }: OwnConversationsDeps) {
  async function list(
    caller: Caller,
    of: {
      knowledgeBaseId: string | undefined
      after: ConversationPosition | undefined
      limit: number
    },
  ): Promise<CountedThread[]> {
    return await inOneSnapshot(db, async (snapshot: WholeDb) => {
      const threads = await listOwnThreads(snapshot, chattingMember(caller), of)
      const figures = await figuresOf(snapshot, threads)
      return threads.map((thread) => ({ thread, figures: figures.get(thread.id) }))
    })
  }

  /** @throws Refusal NOT_FOUND for a conversation that is not the caller's, or in a base that they may no longer chat in */
  async function get(caller: Caller, threadId: string): Promise<WholeConversation> {
    const [member, which] = [chattingMember(caller), { threadId, alsoForgotten: false }]
    const found = await findOwnThread(db, member, which)
    if (found === undefined) throw notFound()
    const base = await knowledgeBases.open(caller, found.knowledge_base_id, 'chat')
    return await inOneSnapshot(db, async (snapshot: WholeDb) => {
      const thread = await findOwnThread(snapshot, member, which)
      if (thread === undefined) throw notFound()
      return await readWhole(snapshot, caller, { base, thread })
    })
  }

  /** Deletes one for good, on an archived base too. Refuses like `get`. */
  async function remove(caller: Caller, threadId: string): Promise<void> {
    await db.transaction().execute(async (transaction: WholeDb) => {
      const which = { threadId, alsoForgotten: true }
      const thread = await findOwnThread(transaction, chattingMember(caller), which)
      if (thread === undefined) throw notFound()
      await deleteRecord(transaction, 'threads', { knowledgeBaseId: thread.knowledge_base_id, id: threadId })
      await recordActivity(transaction, {
        workspaceId: thread.workspace_id,
        knowledgeBaseId: thread.knowledge_base_id,
        actor: caller,
        action: 'conversation.deleted',
        target: { type: 'conversation', id: threadId },
        at: now(),
      })
    })
  }

  /** The base of one of the caller's conversations; undefined if it is not theirs, or they may no longer chat there. */
  async function baseOf(caller: Caller, threadId: string): Promise<string | undefined> {
    const thread = await findOwnThread(db, chattingMember(caller), { threadId, alsoForgotten: false })
    return thread?.knowledge_base_id
  }

  return { list, get, remove, baseOf }
}

export type OwnConversations = ReturnType<typeof createOwnConversations>

/** The figures of threads of several bases: one statement for each base, which names it. */
async function figuresOf(db: WholeDb, threads: readonly OwnThread[]) {
  const bases = Map.groupBy(threads, (thread) => thread.knowledge_base_id)
  const figures: Awaited<ReturnType<typeof readFigures>> = new Map()
  for (const [knowledgeBaseId, ofBase] of bases) {
    const ids = ofBase.map(({ id }) => id)
    for (const [id, counted] of await readFigures(db, knowledgeBaseId, ids)) figures.set(id, counted)
  }
  return figures
}

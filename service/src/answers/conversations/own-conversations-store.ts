import { sql, type ExpressionBuilder } from 'kysely'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import type { ConversationPosition } from './conversation-cursor.ts'
import type { ThreadsTable } from './conversations-tables.ts'

export type OwnConversationsDb = Db<'threads' | 'knowledge_bases' | 'workspaces'>

/** The member, and the bases that they may chat in now. */
export interface ChattingMember {
  userId: string
  /** Workspaces in all of whose bases they may chat. */
  wholeWorkspaceIds: readonly string[]
  /** Workspaces in which they may chat where every member may, and in the granted bases. */
  memberWorkspaceIds: readonly string[]
  grantedIds: readonly string[]
}

/** A conversation, with the workspace of its base. */
export type OwnThread = ThreadsTable & { workspace_id: string }

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

const mayChatIn = (
  row: ExpressionBuilder<Pick<Tables, 'threads' | 'knowledge_bases' | 'workspaces'>, 'knowledge_bases'>,
  member: ChattingMember,
) =>
  row.or([
    row('knowledge_bases.workspace_id', '=', anyOf(member.wholeWorkspaceIds)),
    row.and([
      row('knowledge_bases.workspace_id', '=', anyOf(member.memberWorkspaceIds)),
      row.or([
        row('knowledge_bases.workspace_members_can_chat', '=', true),
        row('knowledge_bases.id', '=', anyOf(member.grantedIds)),
      ]),
    ]),
  ])

const ownThreads = (db: OwnConversationsDb, member: ChattingMember) =>
  db
    .selectFrom('threads')
    .innerJoin('knowledge_bases', 'knowledge_bases.id', 'threads.knowledge_base_id')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .selectAll('threads')
    .select('knowledge_bases.workspace_id')
    .where('threads.surface', '=', 'team')
    .where('threads.client_key_id', 'is', null)
    .where('threads.user_ref', '=', member.userId)
    .where((row) => mayChatIn(row, member))

/** A member's own conversations, newest first. None of a workspace with zero retention. */
export async function listOwnThreads(
  db: OwnConversationsDb,
  member: ChattingMember,
  of: {
    knowledgeBaseId: string | undefined
    after: ConversationPosition | undefined
    limit: number
  },
): Promise<OwnThread[]> {
  const { knowledgeBaseId, after } = of
  return await ownThreads(db, member)
    .where('workspaces.zero_data_retention', '=', false)
    .$if(knowledgeBaseId !== undefined, (query) =>
      query.where('threads.knowledge_base_id', '=', knowledgeBaseId ?? ''),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(threads.created_at, threads.id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('threads.created_at', 'desc')
    .orderBy('threads.id', 'desc')
    .limit(of.limit)
    .execute()
}

/** One of them. `alsoForgotten`: also of a workspace that has zero retention by now, so that it can be deleted. */
export async function findOwnThread(
  db: OwnConversationsDb,
  member: ChattingMember,
  of: { threadId: string; alsoForgotten: boolean },
): Promise<OwnThread | undefined> {
  return await ownThreads(db, member)
    .where('threads.id', '=', of.threadId)
    .$if(!of.alsoForgotten, (query) => query.where('workspaces.zero_data_retention', '=', false))
    .executeTakeFirst()
}

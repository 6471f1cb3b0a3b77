import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { QUESTION_COLUMNS, type QuestionSettingsRow } from '../knowledge-bases/knowledge-bases.ts'
import { canUse } from '../permissions/permissions.ts'

export type MemberBasesDb = Db<
  'knowledge_bases' | 'workspaces' | 'workspace_members' | 'knowledge_base_grants'
>

/** A base as a member sees it, and whether they may chat in it. */
export interface MemberBase
  extends
    QuestionSettingsRow,
    Pick<
      Selectable<Tables['knowledge_bases']>,
      | 'id'
      | 'name'
      | 'description'
      | 'status'
      | 'type'
      | 'language'
      | 'persona'
      | 'tone'
      | 'standing_instructions'
      | 'settings'
    > {
  mayChat: boolean
}

/**
 * The bases of the workspaces that a user is a member of, by name, with their current permissions: one statement, run for each
 * request, by the same rule as the team's own questions.
 *
 * @param among only these; undefined for all of them
 */
export async function basesOfMember(
  db: MemberBasesDb,
  userId: string,
  among: readonly string[] | undefined,
): Promise<MemberBase[]> {
  if (among?.length === 0) return []
  const rows = await db
    .selectFrom('knowledge_bases')
    .innerJoin('workspaces', 'workspaces.id', 'knowledge_bases.workspace_id')
    .innerJoin('workspace_members', 'workspace_members.workspace_id', 'knowledge_bases.workspace_id')
    .leftJoin('knowledge_base_grants', (join) =>
      join
        .onRef('knowledge_base_grants.knowledge_base_id', '=', 'knowledge_bases.id')
        .onRef('knowledge_base_grants.user_id', '=', 'workspace_members.user_id'),
    )
    .select(QUESTION_COLUMNS)
    .select([
      'knowledge_bases.id',
      'knowledge_bases.name',
      'knowledge_bases.description',
      'knowledge_bases.status',
      'knowledge_bases.type',
      'knowledge_bases.language',
      'knowledge_bases.persona',
      'knowledge_bases.tone',
      'knowledge_bases.standing_instructions',
      'knowledge_bases.settings',
      'knowledge_bases.workspace_members_can_chat',
      'workspace_members.role',
      'knowledge_base_grants.permissions',
    ])
    .where('workspace_members.user_id', '=', userId)
    .$if(among !== undefined, (query) => query.where('knowledge_bases.id', 'in', among ?? []))
    .orderBy('knowledge_bases.name')
    .orderBy('knowledge_bases.id')
    .execute()
  return rows.map(({ role, permissions, workspace_members_can_chat: membersCanChat, ...base }) => {
    // As far as a token with the scope `read` reaches: tools change nothing on the member's behalf.
    const member = {
      scopes: ['read' as const],
      workspaces: [{ id: base.workspace_id, role }],
      grants: permissions === null ? [] : [{ knowledgeBaseId: base.id, permissions }],
    }
    const mayChat = canUse(member, { ...base, workspace_members_can_chat: membersCanChat }, 'chat')
    return { ...base, mayChat }
  })
}

/** Of those, the active ones that they may chat in: what tools and pages may show them. */
export async function askableBases(
  db: MemberBasesDb,
  userId: string,
  among: readonly string[] | undefined,
): Promise<MemberBase[]> {
  const bases = await basesOfMember(db, userId, among)
  return bases.filter(({ mayChat, status }) => mayChat && status === 'active')
}

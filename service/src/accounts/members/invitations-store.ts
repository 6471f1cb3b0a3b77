import type { Selectable } from 'kysely'
import type { MembersDb } from './members-store.ts'
import type { InvitationsTable } from './members-tables.ts'

/** Writes an invitation and replaces the previous one, whose link becomes invalid. */
export async function putInvitation(
  transaction: MembersDb,
  invitation: Selectable<InvitationsTable>,
): Promise<void> {
  const { role, name, code_hash, invited_by, expires_at, updated_at } = invitation
  await transaction
    .insertInto('invitations')
    .values(invitation)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'user_id'])
        .doUpdateSet({ role, name, code_hash, invited_by, expires_at, updated_at }),
    )
    .execute()
}

/** What an invitation is for, while it is valid. */
export async function findInvitation(
  db: MembersDb,
  codeHash: string,
  now: Date,
): Promise<{ userId: string; email: string; workspaceId: string; workspaceName: string } | undefined> {
  return await db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select(['i.user_id as userId', 'u.email', 'w.id as workspaceId', 'w.name as workspaceName'])
    .where('i.code_hash', '=', codeHash)
    .where('i.expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses up an invitation. Of two concurrent attempts, one gets it. */
export async function consumeInvitation(
  transaction: MembersDb,
  codeHash: string,
  now: Date,
): Promise<Selectable<InvitationsTable> | undefined> {
  return await transaction
    .deleteFrom('invitations')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

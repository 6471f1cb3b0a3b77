import { sql, type Selectable } from 'kysely'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import type { WorkspacesTable } from './workspaces-tables.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'
import { canonicalEmail } from '../../kernel/canonical-email.ts'

export type WorkspacesDb = Db<
  | 'workspaces'
  | 'users'
  | 'workspace_members'
  | 'setup_codes'
  | 'access_tokens'
  | 'user_passwords'
  | 'outside_identities'
  | ActivityTables
>

export type WorkspaceRow = Selectable<WorkspacesTable>

/** The address that the first owner has until they give their own. */
export const UNNAMED_OWNER = 'owner@localhost'

/** Held while the first workspace is created, so that two processes on empty storage create only one. */
export async function lockFirstStart(transaction: WorkspacesDb): Promise<void> {
  await sql`select pg_advisory_xact_lock(7233492)`.execute(transaction)
}

/** An owner of the oldest workspace, which exists from the first start on: an owner of a workspace made later is no operator. */
export async function findFirstOwner(
  db: WorkspacesDb,
): Promise<{ userId: string; workspaceId: string } | undefined> {
  return await db
    .selectFrom('workspace_members')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .select(['workspace_members.user_id as userId', 'workspaces.id as workspaceId'])
    .where('workspace_members.role', '=', 'owner')
    .orderBy('workspaces.created_at')
    .orderBy('workspaces.id')
    .orderBy('workspace_members.created_at')
    .orderBy('workspace_members.user_id')
    .executeTakeFirst()
}

export async function insertFirstWorkspace(
  db: WorkspacesDb,
  first: { workspaceId: string; userId: string; plan: WorkspacesTable['plan']; now: Date },
): Promise<void> {
  const times = { created_at: first.now, updated_at: first.now }
  await db
    .insertInto('workspaces')
    .values({
      id: first.workspaceId,
      name: 'My workspace',
      plan: first.plan,
      zero_data_retention: false,
      ...times,
    })
    .execute()
  await db
    .insertInto('users')
    .values({ id: first.userId, email: UNNAMED_OWNER, name: 'Owner', ...times })
    .execute()
  await db
    .insertInto('workspace_members')
    .values({ workspace_id: first.workspaceId, user_id: first.userId, role: 'owner', created_at: first.now })
    .execute()
}

export async function insertSetupCode(
  db: WorkspacesDb,
  code: { codeHash: string; userId: string; expiresAt: Date; now: Date },
): Promise<void> {
  await db
    .insertInto('setup_codes')
    .values({
      code_hash: code.codeHash,
      user_id: code.userId,
      expires_at: code.expiresAt,
      created_at: code.now,
    })
    .execute()
}

/** Whether a set-up code was made for a person, expired or not, and whether they have used one. Neither once they have a way in. */
export async function findSetup(
  db: WorkspacesDb,
  userId: string,
): Promise<{ isBegun: boolean; wasOpened: boolean }> {
  const codes = await db
    .selectFrom('setup_codes')
    .select(['created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .execute()
  return {
    isBegun: codes.length > 0,
    wasOpened: codes.some(({ created_at, expires_at }) => expires_at <= created_at),
  }
}

/** Deletes the codes that could be used, but not the mark that one was: a code that expired as it was made. */
export async function deleteUnusedSetupCodes(db: WorkspacesDb, userId: string): Promise<void> {
  await db
    .deleteFrom('setup_codes')
    .where('user_id', '=', userId)
    .whereRef('expires_at', '>', 'created_at')
    .execute()
}

/** Uses up a code, and all other codes of that person. Of two concurrent attempts, one gets the person's id. */
export async function consumeSetupCode(
  db: WorkspacesDb,
  codeHash: string,
  now: Date,
): Promise<string | undefined> {
  const taken = await db
    .deleteFrom('setup_codes')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (taken === undefined) return undefined
  await db.deleteFrom('setup_codes').where('user_id', '=', taken.user_id).execute()
  return taken.user_id
}

/** Whether a set-up code is valid. */
export async function isValidSetupCode(db: WorkspacesDb, codeHash: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('setup_codes')
    .select('user_id')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Sets a person's e-mail. False if another person already has it. */
export async function setEmail(
  transaction: WorkspacesDb,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<boolean> {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where((where) => where(where.fn('lower', ['email']), '=', canonicalEmail(email)))
    .where('id', '<>', userId)
    .executeTakeFirst()
  if (other !== undefined) return false
  await transaction.updateTable('users').set({ email, updated_at: now }).where('id', '=', userId).execute()
  return true
}

export interface Membership {
  id: string
  name: string
  plan: WorkspacesTable['plan']
  role: Tables['workspace_members']['role']
}

/** A person, and the workspaces that this person is a member of. */
export async function findPerson(
  db: WorkspacesDb,
  userId: string,
): Promise<{ user: Selectable<Tables['users']>; workspaces: Membership[] } | undefined> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  if (user === undefined) return undefined
  const workspaces = await db
    .selectFrom('workspace_members')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .select(['workspaces.id', 'workspaces.name', 'workspaces.plan', 'workspace_members.role'])
    .where('workspace_members.user_id', '=', userId)
    .orderBy('workspaces.id')
    .execute()
  return { user, workspaces }
}

export async function findWorkspace(
  db: WorkspacesDb,
  workspaceId: string,
): Promise<WorkspaceRow | undefined> {
  return await db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst()
}

/** A workspace, locked against other changes until the transaction ends. */
export async function lockWorkspace(
  transaction: WorkspacesDb,
  workspaceId: string,
): Promise<WorkspaceRow | undefined> {
  return await transaction
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
}

/** Writes all columns of a workspace. */
export async function updateWorkspace(transaction: WorkspacesDb, workspace: WorkspaceRow): Promise<void> {
  // A suspension is written where the bases are archived with it.
  const { id, suspended_at: _at, suspended_base_ids: _ids, ...fields } = workspace
  await transaction.updateTable('workspaces').set(fields).where('id', '=', id).execute()
}

/** Whether a workspace has zero retention; also true if it was deleted. */
export async function hasZeroRetention(db: Db<'workspaces'>, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('zero_data_retention')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.zero_data_retention ?? true
}

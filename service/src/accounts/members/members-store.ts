import { sql, type Selectable } from 'kysely'
import type { WorkspaceMembersTable } from './members-tables.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { canonicalEmail } from '../../kernel/canonical-email.ts'
import type { Role } from '../permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type MembersDb = Db<'workspaces' | 'users' | 'workspace_members' | 'invitations' | 'access_tokens'>

/** A member of a workspace, or a person invited to it. */
export interface MemberRow {
  workspace_id: string
  user_id: string
  email: string
  name: string
  role: Role
  status: 'active' | 'invited'
  created_at: Date
  updated_at: Date
}

/**
 * Serializes changes to the members of a workspace, so that of two owners who remove each other concurrently one stays.
 * False for a workspace that does not exist.
 */
export async function lockPeople(transaction: MembersDb, workspaceId: string): Promise<boolean> {
  const workspace = await transaction
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst()
  return workspace !== undefined
}

const selectPeople = (db: MembersDb, workspaceId: string) =>
  db
    .selectFrom('workspace_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.workspace_id', 'm.user_id', 'u.email', 'u.name', 'm.role', 'm.created_at', 'm.updated_at'])
    .select((row) => row.val<MemberRow['status']>('active').as('status'))
    .where('m.workspace_id', '=', workspaceId)
    .unionAll(
      db
        .selectFrom('invitations as m')
        .innerJoin('users as u', 'u.id', 'm.user_id')
        .select([
          'm.workspace_id',
          'm.user_id',
          'u.email',
          // Not the person's own: they have not agreed to be known here.
          'm.name',
          'm.role',
          'm.created_at',
          'm.updated_at',
        ])
        .select((row) => row.val<MemberRow['status']>('invited').as('status'))
        .where('m.workspace_id', '=', workspaceId),
    )

export async function listPeople(
  db: MembersDb,
  of: PageRequest & { workspaceId: string },
): Promise<MemberRow[]> {
  return await db
    .selectFrom(selectPeople(db, of.workspaceId).as('people'))
    .selectAll()
    .$if(of.after !== undefined, (query) => query.where('user_id', '>', of.after ?? ''))
    .orderBy('user_id')
    .limit(of.limit)
    .execute()
}

export async function findPersonIn(
  db: MembersDb,
  of: { workspaceId: string; userId: string },
): Promise<MemberRow | undefined> {
  return await db
    .selectFrom(selectPeople(db, of.workspaceId).as('people'))
    .selectAll()
    .where('user_id', '=', of.userId)
    .executeTakeFirst()
}

export async function countOwners(transaction: MembersDb, workspaceId: string): Promise<number> {
  const row = await transaction
    .selectFrom('workspace_members')
    .select((member) => member.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The user with an e-mail address, regardless of case; created if there is none. */
export async function findOrInsertUser(
  transaction: MembersDb,
  given: Selectable<Tables['users']>,
): Promise<Selectable<Tables['users']>> {
  const made = await transaction
    .insertInto('users')
    .values(given)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made !== undefined) return made
  const known = await transaction
    .selectFrom('users')
    .selectAll()
    .where((where) => where(where.fn('lower', ['email']), '=', canonicalEmail(given.email)))
    // They must not be deleted for being in no workspace meanwhile.
    .forKeyShare()
    .executeTakeFirst()
  // Just deleted: there is no such person any more.
  return known ?? (await findOrInsertUser(transaction, given))
}

/** The workspaces of which a person is the only owner, by name. */
export async function listSoleOwned(db: MembersDb, userId: string): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom('workspace_members as own')
    .innerJoin('workspaces as w', 'w.id', 'own.workspace_id')
    .select(['w.id', 'w.name'])
    .where('own.user_id', '=', userId)
    .where('own.role', '=', 'owner')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('workspace_members as other')
            .select('other.role')
            .whereRef('other.workspace_id', '=', 'own.workspace_id')
            .where('other.role', '=', 'owner')
            .where('other.user_id', '<>', userId),
        ),
      ),
    )
    .orderBy('w.name')
    .orderBy('w.id')
    .execute()
}

/**
 * Serializes changes to the members of every workspace that a person is in or invited to, always in the same order: two people who are owners
 * of the same two workspaces may leave at the same time. Returns the ids.
 */
export async function lockWorkspacesOf(transaction: MembersDb, userId: string): Promise<string[]> {
  const of = (table: 'workspace_members' | 'invitations') =>
    transaction.selectFrom(table).select('workspace_id').where('user_id', '=', userId)
  const locked = await transaction
    .selectFrom('workspaces')
    .select('id')
    .where((where) =>
      where.or([where('id', 'in', of('workspace_members')), where('id', 'in', of('invitations'))]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return locked.map(({ id }) => id)
}

/** What a person was in a workspace. */
export interface LeftPlace {
  workspaceId: string
  role: Role
  status: MemberRow['status']
}

/** Ends every membership of a person, and withdraws their invitations to these workspaces. */
export async function deleteMemberships(
  transaction: MembersDb,
  of: { userId: string; invitedTo: readonly string[] },
): Promise<LeftPlace[]> {
  const left = await transaction
    .deleteFrom('workspace_members')
    .where('user_id', '=', of.userId)
    .returning(['workspace_id as workspaceId', 'role'])
    .execute()
  const withdrawn = await transaction
    .deleteFrom('invitations')
    .where('user_id', '=', of.userId)
    .where('workspace_id', '=', sql<string>`any(${[...of.invitedTo]}::uuid[])`)
    .returning(['workspace_id as workspaceId', 'role'])
    .execute()
  return [
    ...left.map((place) => ({ ...place, status: 'active' as const })),
    ...withdrawn.map((place) => ({ ...place, status: 'invited' as const })),
  ]
}

export async function updateRole(
  transaction: MembersDb,
  of: { workspaceId: string; userId: string; status: MemberRow['status'] },
  change: { role: Role; now: Date },
): Promise<void> {
  await transaction
    .updateTable(of.status === 'active' ? 'workspace_members' : 'invitations')
    .set({ role: change.role, updated_at: change.now })
    .where('workspace_id', '=', of.workspaceId)
    .where('user_id', '=', of.userId)
    .execute()
}

export async function deletePerson(
  transaction: MembersDb,
  of: { workspaceId: string; userId: string; status: MemberRow['status'] },
): Promise<void> {
  await transaction
    .deleteFrom(of.status === 'active' ? 'workspace_members' : 'invitations')
    .where('workspace_id', '=', of.workspaceId)
    .where('user_id', '=', of.userId)
    .execute()
}

export async function insertMember(
  transaction: MembersDb,
  member: Selectable<WorkspaceMembersTable>,
): Promise<void> {
  await transaction
    .insertInto('workspace_members')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a user is in a workspace, or has a token. If so, the account is in use, and an invitation's link does not prove who they are. */
export async function hasAccount(transaction: MembersDb, userId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', userId)
    .where((where) =>
      where.or([
        where.exists(
          where
            .selectFrom('workspace_members')
            .select('role')
            .where('workspace_members.user_id', '=', userId),
        ),
        where.exists(
          where.selectFrom('access_tokens').select('name').where('access_tokens.user_id', '=', userId),
        ),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

export async function isInSomeWorkspace(transaction: MembersDb, userId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('workspace_members')
    .select('role')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks when a person left their last workspace: from then on they are kept for a while, so that the activity log names them. */
export async function noteLeft(transaction: MembersDb, userId: string, now: Date): Promise<void> {
  await transaction.updateTable('users').set({ updated_at: now }).where('id', '=', userId).execute()
}

/**
 * Deletes people who have been in no workspace since before a time, with what belongs to them: nobody has invited them since, and they
 * have no token. At most so many; returns how many.
 */
export async function deletePeopleWithoutWorkspace(
  db: MembersDb,
  { before, most }: { before: Date; most: number },
): Promise<number> {
  return await db.transaction().execute(async (transaction: MembersDb) => {
    const isNobody = sql<boolean>`updated_at < ${before}::timestamptz
      and not exists (select from workspace_members m where m.user_id = users.id)
      and not exists (select from access_tokens t where t.user_id = users.id)
      and not exists (select from invitations i where i.user_id = users.id and i.expires_at >= ${before}::timestamptz)`
    const found = await transaction
      .selectFrom('users')
      .select('id')
      .where(isNobody)
      .limit(most)
      // Who is being invited now is left alone.
      .forUpdate()
      .skipLocked()
      .execute()
    if (found.length === 0) return 0
    // Once more, now that nobody can invite them any more: what the first statement saw may be older.
    const deleted = await transaction
      .deleteFrom('users')
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .where(isNobody)
      .returning('id')
      .execute()
    return deleted.length
  })
}

/** Sets the name of a person. False if it is theirs already. */
export async function setPersonName(
  transaction: MembersDb,
  { userId, name, now }: { userId: string; name: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ name, updated_at: now })
    .where('id', '=', userId)
    .where('name', '<>', name)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

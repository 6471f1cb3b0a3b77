import { sql, type Selectable } from 'kysely'
import type { BrowserSessionsTable } from './browser-sessions-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { membershipsOf } from '../access-tokens/access-tokens.ts'
import type { Grant, Role } from '../permissions/permissions.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'

export type SessionsDb = Db<
  | 'browser_sessions'
  | 'access_tokens'
  | 'users'
  | 'workspace_members'
  | 'knowledge_base_grants'
  | 'user_passwords'
  | 'outside_identities'
  | ActivityTables
>

export type SessionRow = Selectable<BrowserSessionsTable>

export interface SessionHolder {
  sessionId: string
  userId: string
  email: string
  name: string
  lastSeenAt: Date
}

/** The holder of a session, with what they may do. */
export interface SessionMember {
  sessionId: string
  userId: string
  createdAt: Date
  lastSeenAt: Date
  workspaces: { id: string; role: Role }[]
  grants: Grant[]
}

/** The credentials with which a user has signed in. */
export type SignInProof = { passwordHash: string } | { issuer: string; subject: string }

export async function insertSession(db: SessionsDb, session: SessionRow): Promise<void> {
  await db.insertInto('browser_sessions').values(session).execute()
}

/**
 * Inserts a session if the credentials are still valid; false if they were changed or removed meanwhile. A concurrent change either is
 * waited for, or ends this session: it changes the credentials before it ends sessions.
 */
export async function insertSessionOn(
  db: SessionsDb,
  session: SessionRow,
  proof: SignInProof,
): Promise<boolean> {
  const { id, token_hash: tokenHash, user_id: userId, created_at: createdAt, last_seen_at: seenAt } = session
  const shown =
    'passwordHash' in proof
      ? sql`user_passwords where user_id = ${userId} and hash = ${proof.passwordHash}`
      : sql`outside_identities where user_id = ${userId} and issuer = ${proof.issuer} and subject = ${proof.subject}`
  const { numAffectedRows } =
    await sql`insert into browser_sessions (id, token_hash, user_id, created_at, last_seen_at)
    select ${id}::uuid, ${tokenHash}::text, user_id, ${createdAt.toISOString()}::timestamptz, ${seenAt.toISOString()}::timestamptz
    from ${shown} for share`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

interface OpenSession {
  tokenHash: string
  /** It began, and was last seen, after these times. */
  begunAfter: Date
  seenAfter: Date
}

/** The session with this hash, its user's memberships and grants, in one statement: permissions are never stale. */
export async function findSessionMember(db: SessionsDb, of: OpenSession): Promise<SessionMember | undefined> {
  return await db
    .selectFrom('browser_sessions as s')
    .select(['s.id as sessionId', 's.user_id as userId', 's.created_at as createdAt'])
    .select('s.last_seen_at as lastSeenAt')
    .select(membershipsOf('s.user_id'))
    .where('s.token_hash', '=', of.tokenHash)
    .where('s.created_at', '>', of.begunAfter)
    .where('s.last_seen_at', '>', of.seenAfter)
    .executeTakeFirst()
}

/** The holder of a session. */
export async function findSessionHolder(db: SessionsDb, of: OpenSession): Promise<SessionHolder | undefined> {
  return await db
    .selectFrom('browser_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id as sessionId', 'u.id as userId', 'u.email', 'u.name', 's.last_seen_at as lastSeenAt'])
    .where('s.token_hash', '=', of.tokenHash)
    .where('s.created_at', '>', of.begunAfter)
    .where('s.last_seen_at', '>', of.seenAfter)
    .executeTakeFirst()
}

/** Records that a session was used, unless a use was recorded after `unlessSince`. */
export async function touchSession(
  db: SessionsDb,
  touched: { id: string; now: Date; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('browser_sessions')
    .set({ last_seen_at: touched.now })
    .where('id', '=', touched.id)
    .where('last_seen_at', '<=', touched.unlessSince)
    .execute()
}

export async function deleteSession(db: SessionsDb, tokenHash: string): Promise<void> {
  await db.deleteFrom('browser_sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends every session of a user, except this one if given. Returns how many there were. */
export async function deleteSessionsOf(
  db: Db<'browser_sessions'>,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const deleted = await db
    .deleteFrom('browser_sessions')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .returning('id')
    .execute()
  return deleted.length
}

/** Whether a session was not ended. Its idle time is not checked. */
export async function isOpenSession(db: Db<'browser_sessions'>, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('browser_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row !== undefined
}

export async function countSessionsOf(db: SessionsDb, userId: string, seenAfter: Date): Promise<number> {
  const row = await db
    .selectFrom('browser_sessions')
    .select((session) => session.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', seenAfter)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Deletes expired sessions. */
export async function deleteSessionsBefore(
  db: SessionsDb,
  before: { begun: Date; seen: Date },
): Promise<void> {
  await db
    .deleteFrom('browser_sessions')
    .where((where) =>
      where.or([where('created_at', '<=', before.begun), where('last_seen_at', '<=', before.seen)]),
    )
    .execute()
}

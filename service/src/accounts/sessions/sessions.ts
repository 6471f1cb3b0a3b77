import { randomBytes } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../kernel/duration.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { createUseRecorder } from '../../platform/storage/last-use.ts'
import { deleteOrdinaryTokensOf } from '../access-tokens/access-tokens.ts'
import { recordAboutPerson } from '../activity-log/activity-log.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { lockPerson } from '../people/people.ts'
import type { Caller } from '../permissions/permissions.ts'
import { browserName } from './browser-name.ts'
import type { Db } from '../../platform/storage/tables.ts'
import {
  countSessionsOf,
  deleteOwnSession,
  deleteSession,
  deleteSessionsBefore,
  deleteSessionsOf,
  findSessionHolder,
  findSessionMember,
  insertSession,
  insertSessionOn,
  isOpenSession,
  listSessions,
  touchSession,
  type SessionHolder,
  type SessionMember,
  type SessionRow,
  type SessionsDb,
  type SignInProof,
} from './sessions-store.ts'

export { deleteSessionsOf, isOpenSession, type SignInProof } from './sessions-store.ts'

export interface SessionsDeps {
  db: SessionsDb
  newId: () => string
  now: () => Date
  /** Called when the last use of a session could not be written. The request continues. */
  onUseNotRecorded: (error: unknown) => void
}

/** A session that was not used for this long expires. */
const IDLE_TIMEOUT_MS = 12 * HOUR_MS

/** A session expires after this time, however much it is used. */
const MAX_LIFETIME_MS = 30 * DAY_MS

/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/**
 * Checks, in the transaction of a change, that the session in which it was requested is still open.
 *
 * @throws Refusal UNAUTHENTICATED if it has ended meanwhile: the account may have been recovered by its owner
 */
export async function requireOpenSession(
  transaction: Db<'browser_sessions'>,
  sessionId: string | undefined,
): Promise<void> {
  if (sessionId !== undefined && (await isOpenSession(transaction, sessionId))) return
  throw new Refusal('UNAUTHENTICATED', { because: 'You are no longer signed in. Sign in again.' })
}

/** Sessions of signed-in browsers. Each is looked up on each request, so that ending one takes effect immediately. */
export function createSessions({ db, newId, now, onUseNotRecorded }: SessionsDeps) {
  const recordUse = createUseRecorder(async (use) => await touchSession(db, use), onUseNotRecorded)
  const idleSince = () => new Date(now().getTime() - IDLE_TIMEOUT_MS)
  const oldest = () => new Date(now().getTime() - MAX_LIFETIME_MS)

  /**
   * Begins a session. The returned token is only for the browser: only its hash is stored.
   *
   * @param userAgent the header of the browser, so that its person recognizes it
   * @param proof the credentials that were presented, if checking them took a while: they may be invalid by now
   * @throws Refusal UNAUTHENTICATED if they are
   */
  async function begin(userId: string, proof?: SignInProof, userAgent?: string): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const times = { created_at: now(), last_seen_at: now() }
    const session = {
      id: newId(),
      token_hash: hashSecret(token),
      user_id: userId,
      browser: browserName(userAgent),
      ...times,
    }
    if (proof === undefined) await insertSession(db, session)
    else if (!(await insertSessionOn(db, session, proof)))
      throw new Refusal('UNAUTHENTICATED', {
        because: 'Your password or provider was changed a moment ago. Sign in again.',
      })
    return token
  }

  async function find<Found extends { sessionId: string; lastSeenAt: Date }>(
    token: string,
    read: (
      db: SessionsDb,
      of: { tokenHash: string; begunAfter: Date; seenAfter: Date },
    ) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    if (!TOKEN.test(token)) return undefined
    const of = { tokenHash: hashSecret(token), begunAfter: oldest(), seenAfter: idleSince() }
    const found = await read(db, of)
    if (found !== undefined) recordUse({ id: found.sessionId, recorded: found.lastSeenAt, now: now() })
    return found
  }

  /** The holder of a session; undefined if it is unknown, was ended, or has expired. */
  const holderOf = async (token: string): Promise<SessionHolder | undefined> =>
    await find(token, findSessionHolder)

  /** The same with what they may do, and when the session expires if it is not used again. */
  async function memberOf(token: string): Promise<(SessionMember & { expiresAt: Date }) | undefined> {
    const member = await find(token, findSessionMember)
    if (member === undefined) return undefined
    const end = Math.min(now().getTime() + IDLE_TIMEOUT_MS, member.createdAt.getTime() + MAX_LIFETIME_MS)
    return { ...member, expiresAt: new Date(end) }
  }

  /**
   * Ends every session of the caller, and records it in each of their workspaces; on request, also their access tokens except the
   * calling one.
   */
  async function endAllOf(
    caller: { userId: string; tokenId: string | null },
    given: { revokesTokens?: boolean } = {},
  ): Promise<void> {
    await db.transaction().execute(async (transaction: SessionsDb) => {
      const { userId, tokenId } = caller
      await lockPerson(transaction, userId)
      await deleteSessionsOf(transaction, userId)
      const details =
        given.revokesTokens === true
          ? { tokens_revoked: await deleteOrdinaryTokensOf(transaction, userId, tokenId ?? undefined) }
          : {}
      const target = { type: 'member', id: userId }
      const action = 'member.signed_out_everywhere'
      const activity = { actor: { userId, tokenId }, action, target, details, at: now() }
      await recordAboutPerson(transaction, userId, activity)
    })
  }

  /** The open sessions of the caller. */
  async function list(caller: Pick<Caller, 'userId'>, page: PageRequest): Promise<SessionRow[]> {
    return await listSessions(db, {
      ...page,
      userId: caller.userId,
      begunAfter: oldest(),
      seenAfter: idleSince(),
    })
  }

  /**
   * Ends one session of the caller, and records it in each of their workspaces.
   *
   * @throws Refusal NOT_FOUND for a session of anyone else
   */
  async function endOne(caller: Pick<Caller, 'userId' | 'tokenId'>, sessionId: string): Promise<void> {
    await db.transaction().execute(async (transaction: SessionsDb) => {
      const { userId, tokenId } = caller
      await lockPerson(transaction, userId)
      if (!(await deleteOwnSession(transaction, { userId, sessionId })))
        throw new Refusal('NOT_FOUND', { because: 'There is no such session.' })
      await recordAboutPerson(transaction, userId, {
        actor: { userId, tokenId },
        action: 'member.session_ended',
        target: { type: 'member', id: userId },
        at: now(),
      })
    })
  }

  const sweep: Job = {
    name: 'sweep-sessions',
    schedule: '41 * * * *',
    handle: async () => await deleteSessionsBefore(db, { begun: oldest(), seen: idleSince() }),
  }

  return {
    begin,
    holderOf,
    memberOf,
    end: async (token: string) => await deleteSession(db, hashSecret(token)),
    endAllOf,
    list,
    endOne,
    countOf: async (userId: string) => await countSessionsOf(db, userId, idleSince()),
    jobs: [sweep],
  }
}

export type Sessions = ReturnType<typeof createSessions>

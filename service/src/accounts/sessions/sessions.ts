import { randomBytes } from 'node:crypto'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { deleteOrdinaryTokensOf } from '../access-tokens/access-tokens.ts'
import { recordAboutPerson } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import {
  countSessionsOf,
  deleteSession,
  deleteSessionsBefore,
  deleteSessionsOf,
  findSessionHolder,
  insertSession,
  insertSessionOn,
  touchSession,
  type SessionHolder,
  type SessionsDb,
  type SignInProof,
} from './sessions-store.ts'

export { deleteSessionsOf, isOpenSession, type SessionHolder, type SignInProof } from './sessions-store.ts'

export interface SessionsDeps {
  db: SessionsDb
  newId: () => string
  now: () => Date
}

const HOUR_MS = 60 * 60 * 1_000

/** A session that nobody has used for this long is over. */
const IDLE_MS = 12 * HOUR_MS

/** However much it is used, a session is over after this. */
const LONGEST_MS = 30 * 24 * HOUR_MS

/** How exact `last_seen_at` is: not every page writes a row. */
const SEEN_IS_NOTED_EVERY_MS = 60_000

/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/** The browsers that are signed in. Each is looked up at each request: one that has ended is good for nothing from then on. */
export function createSessions({ db, newId, now }: SessionsDeps) {
  const idleSince = () => new Date(now().getTime() - IDLE_MS)
  const oldest = () => new Date(now().getTime() - LONGEST_MS)

  /**
   * Begins a session. What it gives back is for the browser alone: only a hash of it is kept.
   *
   * @param proof what was shown, where that took a while: it may be good no more
   * @throws Refusal UNAUTHENTICATED where it is not
   */
  async function begin(userId: string, proof?: SignInProof): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const times = { created_at: now(), last_seen_at: now() }
    const session = { id: newId(), token_hash: hashSecret(token), user_id: userId, ...times }
    if (proof === undefined) await insertSession(db, session)
    else if (!(await insertSessionOn(db, session, proof)))
      throw new Refusal('UNAUTHENTICATED', {
        because: 'This way to sign in has just been changed. Try again.',
      })
    return token
  }

  /** Whose session it is; undefined for one that is unknown, was ended, or is over. */
  async function holderOf(token: string): Promise<SessionHolder | undefined> {
    if (!TOKEN.test(token)) return undefined
    const of = { tokenHash: hashSecret(token), begunAfter: oldest(), seenAfter: idleSince() }
    const holder = await findSessionHolder(db, of)
    if (holder !== undefined && now().getTime() - holder.lastSeenAt.getTime() > SEEN_IS_NOTED_EVERY_MS) {
      await touchSession(db, holder.sessionId, now())
    }
    return holder
  }

  /**
   * Ends every session of whoever asks, and writes it down in each of their workspaces; where it is asked for, their access tokens too,
   * but for the one that asks.
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

  const sweep: Job = {
    name: 'sweep-sessions',
    schedule: '41 * * * *',
    concurrency: 1,
    handle: async () => await deleteSessionsBefore(db, { begun: oldest(), seen: idleSince() }),
  }

  return {
    begin,
    holderOf,
    end: async (token: string) => await deleteSession(db, hashSecret(token)),
    endAllOf,
    countOf: async (userId: string) => await countSessionsOf(db, userId, idleSince()),
    jobs: [sweep],
  }
}

export type Sessions = ReturnType<typeof createSessions>

import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'
import { issueAccessToken } from '../access-tokens/access-tokens.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import { findInvitation, hasAccount, insertMember, takeInvitation, type MembersDb } from './members-store.ts'

/** How long the link of an invitation works. */
const INVITATION_LIVES_MS = 7 * 24 * 60 * 60 * 1_000

/** A code for a link, what is stored of it, and when it ends. */
export function newInvitationCode(now: Date): { code: string; codeHash: string; expiresAt: Date } {
  const code = newSecret('cw_inv_')
  return { code, codeHash: hashSecret(code), expiresAt: new Date(now.getTime() + INVITATION_LIVES_MS) }
}

export interface InvitationsDeps {
  db: MembersDb
  /** Whose access token this is. Throws UNAUTHENTICATED for an unknown one. */
  authenticate(bearer: string): Promise<{ userId: string; tokenId: string }>
  newId: () => string
  now: () => Date
}

/** What an invitation says to whoever opens its link. */
export interface OpenInvitation {
  userId: string
  email: string
  workspaceName: string
  /** The invited person has an account here: only they can accept. */
  isKnown: boolean
}

/** How somebody shows who they are, and how they will sign in. */
export interface Claim {
  code: string
  /** Of somebody with an account here: an access token, or a browser that is signed in. */
  shown?: { ownToken: string } | { userId: string; sessionId: string }
  /** Of somebody new: keeps their way to sign in, in the same transaction. They get no access token then. */
  keepWayIn?: (transaction: MembersDb, userId: string) => Promise<void>
}

export interface ClaimedInvitation {
  workspaceId: string
  userId: string
  /** The person's first access token; undefined for somebody who had one before, or who chose another way to sign in. */
  token: string | undefined
}

const SCOPES = ['read' as const, 'config' as const, 'admin' as const]

const lapsed = () =>
  new Refusal('NOT_FOUND', {
    because: 'This invitation was used already, was taken back, or has expired. Ask for a new one.',
  })

export function createInvitations({ db, authenticate, newId, now }: InvitationsDeps) {
  /** What an invitation is for; it is not used up. Throws NOT_FOUND for a link that was used or has expired. */
  async function open(code: string): Promise<OpenInvitation> {
    const found = await findInvitation(db, hashSecret(code), now())
    if (found === undefined) throw lapsed()
    return { ...found, isKnown: await hasAccount(db, found.userId) }
  }

  /** Who accepts, by what they show. */
  async function personWhoShows(shown: Claim['shown']) {
    if (shown === undefined) return undefined
    if ('userId' in shown) return { userId: shown.userId, tokenId: shown.sessionId }
    return await authenticate(shown.ownToken)
  }

  /**
   * Makes the invited person a member, once, and gives them their first access token or their way to sign in. Somebody who has an
   * account already shows that it is theirs: whoever invites sees the link, and must not become another person by it.
   *
   * @throws Refusal NOT_FOUND for a link that was used or has expired; FORBIDDEN, and the link still works, where an account is
   * there and `shown` is not of it
   */
  async function claim({ code, shown, keepWayIn }: Claim): Promise<ClaimedInvitation> {
    const person = await personWhoShows(shown)
    return await db.transaction().execute(async (transaction: MembersDb) => {
      const invitation = await takeInvitation(transaction, hashSecret(code), now())
      if (invitation === undefined) throw lapsed()
      const { workspace_id: workspaceId, user_id: userId, role } = invitation
      // Two workspaces may have invited them: of two links that are used at once only one may give a way in.
      await lockPerson(transaction, userId)
      const isKnown = await hasAccount(transaction, userId)
      if (isKnown && person?.userId !== userId) {
        throw new Refusal('FORBIDDEN', {
          because: 'You have an account here already. Sign in with it, or enter an access token of yours.',
        })
      }
      const times = { created_at: now(), updated_at: now() }
      await insertMember(transaction, { workspace_id: workspaceId, user_id: userId, role, ...times })
      const made = {
        id: newId(),
        userId,
        name: 'Invitation',
        scopes: SCOPES,
        expiresAt: undefined,
        now: now(),
      }
      if (!isKnown) await keepWayIn?.(transaction, userId)
      const issued =
        isKnown || keepWayIn !== undefined ? undefined : await issueAccessToken(transaction, made)
      await recordActivity(transaction, {
        workspaceId,
        actor: { userId, tokenId: issued?.row.id ?? person?.tokenId ?? made.id },
        action: 'member.joined',
        target: { type: 'member', id: userId },
        details: { role },
        at: now(),
      })
      return { workspaceId, userId, token: issued?.token }
    })
  }

  return { open, claim }
}

export type Invitations = ReturnType<typeof createInvitations>

import { Refusal } from '../../kernel/refusal.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'
import { issueAccessToken } from '../access-tokens/access-tokens.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import { consumeInvitation, findInvitation } from './invitations-store.ts'
import { hasAccount, insertMember, lockPeople, setPersonName } from './members-store.ts'

/** How long the link of an invitation is valid. */
const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000

/** A code for a link, the hash of it that is stored, and when it expires. */
export function newInvitationCode(now: Date): { code: string; codeHash: string; expiresAt: Date } {
  const code = newSecret('cw_inv_')
  return { code, codeHash: hashSecret(code), expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS) }
}

export interface InvitationsDeps {
  db: WholeDb
  /** Resolves an access token to its holder. Throws UNAUTHENTICATED for an unknown one. */
  authenticate(bearer: string): Promise<{ userId: string; tokenId: string | null }>
  newId: () => string
  now: () => Date
}

/** What the page of an invitation's link shows. */
export interface OpenInvitation {
  userId: string
  email: string
  workspaceName: string
  /** The invited person already has an account: only they can accept. */
  isKnown: boolean
}

/** How the invited person proves who they are, and how they will sign in. */
export interface Claim {
  code: string
  /** For a person with an account: an access token, or a signed-in browser session. */
  proof?: { ownToken: string } | { userId: string }
  /** For a new person: stores their sign-in method in the same transaction. They then get no access token. */
  storeSignInMethod?: (transaction: WholeDb, userId: string) => Promise<void>
}

export interface ClaimedInvitation {
  workspaceId: string
  userId: string
  /** The person's first access token; undefined if they had one before, or chose another sign-in method. */
  token: string | undefined
}

const SCOPES = ['read' as const, 'config' as const, 'admin' as const]

const expired = () =>
  new Refusal('NOT_FOUND', {
    because: 'This invitation was already used, was withdrawn, or has expired. Ask for a new one.',
  })

export function createInvitations({ db, authenticate, newId, now }: InvitationsDeps) {
  /** What an invitation is for; this does not use it up. Throws NOT_FOUND for a link that was used or has expired. */
  async function open(code: string): Promise<OpenInvitation> {
    const found = await findInvitation(db, hashSecret(code), now())
    if (found === undefined) throw expired()
    return { ...found, isKnown: await hasAccount(db, found.userId) }
  }

  /** Who accepts, by the credentials that they present. */
  async function personOfProof(proof: Claim['proof']) {
    if (proof === undefined) return undefined
    if ('userId' in proof) return { userId: proof.userId, tokenId: null }
    return await authenticate(proof.ownToken)
  }

  /**
   * Makes the invited person a member, once, and gives them their first access token or their sign-in method. A person who already
   * has an account must prove that it is theirs: the inviter also sees the link, and must not get into another account with it.
   *
   * @throws Refusal NOT_FOUND for a link that was used or has expired; FORBIDDEN if there is an account and `proof` does not match
   * it, in which case the link stays valid
   */
  async function claim({ code, proof, storeSignInMethod }: Claim): Promise<ClaimedInvitation> {
    const person = await personOfProof(proof)
    return await db.transaction().execute(async (transaction: WholeDb) => {
      const found = await findInvitation(transaction, hashSecret(code), now())
      // First, as whoever invites, changes and removes people does: in another order both could wait for each other.
      if (found !== undefined) await lockPeople(transaction, found.workspaceId)
      const invitation = await consumeInvitation(transaction, hashSecret(code), now())
      if (invitation === undefined) throw expired()
      const { workspace_id: workspaceId, user_id: userId, role, name } = invitation
      // Two workspaces may have invited them: of two links used concurrently only one may grant a sign-in method.
      await lockPerson(transaction, userId)
      const isKnown = await hasAccount(transaction, userId)
      if (isKnown && person?.userId !== userId)
        throw new Refusal('FORBIDDEN', {
          because: 'You already have an account here. Sign in with it, or enter one of your access tokens.',
        })
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
      if (!isKnown) {
        // As the invitation names them.
        await setPersonName(transaction, { userId, name, now: now() })
        await storeSignInMethod?.(transaction, userId)
      }
      const issued =
        isKnown || storeSignInMethod !== undefined ? undefined : await issueAccessToken(transaction, made)
      await recordActivity(transaction, {
        workspaceId,
        actor: {
          userId,
          tokenId: issued?.row.id ?? (isKnown && person !== undefined ? person.tokenId : null),
        },
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

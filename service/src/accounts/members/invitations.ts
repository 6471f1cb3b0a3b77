import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'
import { issueAccessToken } from '../access-tokens/access-tokens.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { hasAccount, insertMember, lockPerson, takeInvitation, type MembersDb } from './members-store.ts'

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

export interface ClaimedInvitation {
  workspaceId: string
  /** The person's first access token; undefined for somebody who had one before. */
  token: string | undefined
}

const SCOPES = ['read' as const, 'config' as const, 'admin' as const]

export function createInvitations({ db, authenticate, newId, now }: InvitationsDeps) {
  /**
   * Makes the invited person a member, once, and gives them their first access token. Somebody who has an account already shows
   * that it is theirs by a token of it: whoever invites sees the link, and must not become another person by it.
   *
   * @throws Refusal NOT_FOUND for a link that was used or has expired; FORBIDDEN, and the link still works, where an account is
   * there and `ownToken` is not of it
   */
  async function claim(code: string, ownToken: string | undefined): Promise<ClaimedInvitation> {
    const shown = ownToken === undefined ? undefined : await authenticate(ownToken)
    return await db.transaction().execute(async (transaction: MembersDb) => {
      const invitation = await takeInvitation(transaction, hashSecret(code), now())
      if (invitation === undefined) {
        throw new Refusal('NOT_FOUND', {
          because: 'This invitation was used already, was taken back, or has expired. Ask for a new one.',
        })
      }
      const { workspace_id: workspaceId, user_id: userId, role } = invitation
      // Two workspaces may have invited them: of two links that are used at once only one may give a first token.
      await lockPerson(transaction, userId)
      const isKnown = await hasAccount(transaction, userId)
      if (isKnown && shown?.userId !== userId) {
        throw new Refusal('FORBIDDEN', {
          because:
            'You have an account here already. Enter an access token of yours to accept the invitation with it.',
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
      const issued = isKnown ? undefined : await issueAccessToken(transaction, made)
      await recordActivity(transaction, {
        workspaceId,
        actor: { userId, tokenId: issued?.row.id ?? shown?.tokenId ?? made.id },
        action: 'member.joined',
        target: { type: 'member', id: userId },
        details: { role },
        at: now(),
      })
      return { workspaceId, token: issued?.token }
    })
  }

  return { claim }
}

export type Invitations = ReturnType<typeof createInvitations>

import type { WholeDb } from '../../platform/storage/tables.ts'
import { deleteOrdinaryTokensOf, moveOperatorTokens } from '../access-tokens/access-tokens.ts'
import { deleteIdentitiesOf } from '../external-identities/external-identities.ts'
import { deletePasswordOf } from '../passwords/passwords.ts'
import { deleteSessionsOf } from '../sessions/sessions.ts'
import { noteLeft } from './members-store.ts'

export interface EndAccountDeps {
  now: () => Date
  /** Disconnects the tools that read on a member's behalf. */
  disconnectTools: (transaction: WholeDb, userId: string) => Promise<unknown>
  /** The owner with whose account the operator's tokens are made. */
  findFirstOwner: (transaction: WholeDb) => Promise<{ userId: string } | undefined>
}

/**
 * Removes all credentials of a person who is in no workspace any more. If they are invited again, they start with a new account; otherwise
 * they are deleted after a while. The operator's tokens are not theirs, but the machine's: they go on with the account with which a start
 * would make them now. The one of the environment could not be made again.
 */
export async function endAccount(
  transaction: WholeDb,
  userId: string,
  { now, disconnectTools, findFirstOwner }: EndAccountDeps,
): Promise<void> {
  // Passwords and identities go before the sessions: a concurrent sign-in waits for this, or its session is ended below.
  await deletePasswordOf(transaction, userId)
  await deleteIdentitiesOf(transaction, userId)
  const first = await findFirstOwner(transaction)
  if (first !== undefined)
    await moveOperatorTokens(transaction, { from: userId, to: first.userId, now: now() })
  await deleteOrdinaryTokensOf(transaction, userId)
  await deleteSessionsOf(transaction, userId)
  await disconnectTools(transaction, userId)
  await noteLeft(transaction, userId, now())
}

import { Refusal } from '../../kernel/refusal.ts'
import {
  deleteIdentity,
  findUserOfIdentity,
  insertIdentity,
  listIdentitiesOf,
  lockMemberByEmail,
  type OutsideIdentitiesDb,
  type OutsideIdentityRow,
} from './outside-identities-store.ts'
import type { Db } from '../../platform/storage/tables.ts'

export { deleteIdentitiesOf, type OutsideIdentityRow } from './outside-identities-store.ts'

/** Who somebody is at a provider. */
export interface LinkedIdentity {
  issuer: string
  subject: string
  /** Only where the provider says that it is verified. */
  email: string | undefined
}

export interface OutsideIdentitiesDeps {
  db: OutsideIdentitiesDb
  now: () => Date
}

/**
 * Links somebody to a provider, for rooms that know who it is.
 *
 * @throws Refusal CONFLICT where that account there belongs to somebody else here, or another one there is linked
 */
export async function linkIdentity(
  transaction: Db<'outside_identities'>,
  { userId, identity, now }: { userId: string; identity: LinkedIdentity; now: Date },
): Promise<void> {
  const { issuer, subject, email } = identity
  const row = { issuer, subject, user_id: userId, email: email ?? null, created_at: now }
  if (await insertIdentity(transaction, row)) return
  const holder = await findUserOfIdentity(transaction, identity)
  if (holder === userId) return
  throw new Refusal('CONFLICT', {
    because:
      holder === undefined
        ? 'Another account of this provider is linked to you already. Unlink it first.'
        : 'This account of the provider is linked to another person here.',
  })
}

/** Which people are known at which providers. */
export function createOutsideIdentities({ db, now }: OutsideIdentitiesDeps) {
  /**
   * Who signs in with this identity. One that nobody has linked is taken for the member with the same verified e-mail, as long as
   * that member has no other way in: whoever can verify an address at some provider must not get into an account that is in use.
   *
   * @throws Refusal FORBIDDEN that says what to do instead
   */
  async function personOf(identity: LinkedIdentity): Promise<string> {
    const known = await findUserOfIdentity(db, identity)
    if (known !== undefined) return known
    const { email } = identity
    if (email === undefined) throw unknownPerson()
    return await db.transaction().execute(async (transaction: OutsideIdentitiesDb) => {
      const member = await lockMemberByEmail(transaction, email)
      if (member === undefined) throw unknownPerson()
      if (member.hasWayIn) {
        throw new Refusal('FORBIDDEN', {
          because:
            'There is an account with your e-mail here already. Sign in as you did before, then link this provider in your account.',
        })
      }
      await linkIdentity(transaction, { userId: member.userId, identity, now: now() })
      return member.userId
    })
  }

  return {
    personOf,
    link: async (userId: string, identity: LinkedIdentity) =>
      await linkIdentity(db, { userId, identity, now: now() }),
    listOf: async (userId: string): Promise<OutsideIdentityRow[]> => await listIdentitiesOf(db, userId),
    unlink: async (userId: string, issuer: string) => await deleteIdentity(db, userId, issuer),
  }
}

const unknownPerson = () =>
  new Refusal('FORBIDDEN', {
    because:
      'Nobody here has this account. Accounts are made by invitation: ask an owner or admin of your workspace for one, and open its link.',
  })

export type OutsideIdentities = ReturnType<typeof createOutsideIdentities>

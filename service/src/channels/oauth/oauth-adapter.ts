import { hash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import {
  consumeRecord,
  deleteFamilyOf,
  deleteOfGrant,
  deleteRecord,
  findRecord,
  saveRecord,
  type OAuthDb,
} from './oauth-store.ts'

/** A client that registered itself and was never allowed by anyone is deleted after this time. */
const UNUSED_CLIENT_SECONDS = 24 * 60 * 60

/** Records are looked up by the hash of their id: most ids are secrets. */
export const hashOf = (id: string) => hash('sha256', id, 'base64url')

export interface OAuthAdapterDeps {
  db: OAuthDb
  sealer: Sealer
  now: () => Date
  /** The error of the authorization server for something that is used twice. */
  reuseError: () => Error
}

/** Storage of the authorization server for records of one kind. */
export function createOAuthAdapter(kind: string, { db, sealer, now, reuseError }: OAuthAdapterDeps): Adapter {
  const placeOf = (idHash: string) => ({
    table: 'oauth_records',
    row: `${kind}:${idHash}`,
    column: 'sealed_payload',
  })

  async function read(by: { idHash: string } | { uidHash: string }): Promise<AdapterPayload | undefined> {
    const row = await findRecord(db, kind, by)
    if (row === undefined) return undefined
    const payload = JSON.parse(sealer.open(row.sealed_payload, placeOf(row.id_hash))) as AdapterPayload
    if (row.consumed_at !== null) payload.consumed = Math.floor(row.consumed_at.getTime() / 1_000)
    return payload
  }

  return {
    upsert: async (id, payload, expiresIn) => {
      const idHash = hashOf(id)
      const seconds = expiresIn ?? (kind === 'Client' ? UNUSED_CLIENT_SECONDS : undefined)
      await saveRecord(db, {
        kind,
        idHash,
        sealedPayload: sealer.seal(JSON.stringify(payload), placeOf(idHash)),
        grantHash: payload.grantId === undefined ? undefined : hashOf(payload.grantId),
        uidHash: payload.uid === undefined ? undefined : hashOf(payload.uid),
        expiresAt: seconds === undefined ? undefined : new Date(now().getTime() + seconds * 1_000),
      })
    },
    find: async (id) => await read({ idHash: hashOf(id) }),
    findByUid: async (uid) => await read({ uidHash: hashOf(uid) }),
    // Part of the device flow, which is not offered.
    findByUserCode: () => Promise.resolve(undefined),
    // Of two concurrent requests both have read it as unused: one of them fails here. One of the two may come from a thief, so the tokens
    // of both are revoked.
    consume: async (id) => {
      if (await consumeRecord(db, kind, hashOf(id))) return
      await deleteFamilyOf(db, kind, hashOf(id))
      throw reuseError()
    },
    destroy: async (id) => await deleteRecord(db, kind, hashOf(id)),
    revokeByGrantId: async (grantId) => await deleteOfGrant(db, kind, hashOf(grantId)),
  }
}

import type { ClientKeyChange, NewClientKey } from '@citewell/contract/client-keys'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, inspectSecret, isHashOf, newSecret } from '../../kernel/secrets.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { ActivityTables } from '../activity-log/activity-log.ts'
import { createRecordBases } from '../base-records/base-records.ts'
import { lockType, type BaseHooks, type KnowledgeBases } from '../knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../permissions/permissions.ts'
import {
  findClientKey,
  hasLiveKey,
  insertClientKey,
  revokeClientKey,
  revokeClientKeys,
  updateClientKey,
  type ClientKeyRow,
  type ClientKeysDb,
  type KeyedBase,
} from './client-keys-store.ts'
import type { ClientCredentials } from './client-credentials.ts'
import { presentClientKey } from './present-client-key.ts'
import { recordKey } from './record-key.ts'
import { countRecords, listRecords, nameRecords } from '../../platform/storage/base-records.ts'
import { createUseRecorder, touchIn } from '../../platform/storage/last-use.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export { parseClientCredentials, type ClientCredentials } from './client-credentials.ts'
export type { KeyedBase } from './client-keys-store.ts'

export interface ClientKeysDeps {
  db: ClientKeysDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  /** Those of the ids that are source groups of the base. */
  findGroups(knowledgeBaseId: string, groupIds: readonly string[]): Promise<Set<string>>
  newId: () => string
  now: () => Date
  /** Called when a single key is revoked. When a base becomes internal, the rooms of the base report all its keys themselves. */
  onRevoked?: (key: { knowledgeBaseId: string; clientKeyId: string }) => void
  /** Called when the last use of a key could not be written. The request continues. */
  onUseNotRecorded: (error: unknown) => void
}

/** What a live client key allows. */
export interface ClientKey {
  knowledgeBaseId: string
  clientKeyId: string
  kind: 'public' | 'secret'
  allowedOrigins: string[]
  /** Empty: every group. */
  allowedSourceGroupIds: string[]
  allowMcpAccess: boolean
  /** Read in the same statement as the key. */
  base: KeyedBase
}

const unauthenticated = (because: string) => new Refusal('UNAUTHENTICATED', { because })
function makeClientKey(
  knowledgeBaseId: string,
  given: NewClientKey,
  id: string,
  now: Date,
): { row: ClientKeyRow; clientSecret: string | undefined } {
  const clientSecret = given.kind === 'secret' ? newSecret('cw_sk_') : undefined
  return {
    clientSecret,
    row: {
      ...given,
      knowledge_base_id: knowledgeBaseId,
      id,
      public_key: given.kind === 'public' ? newSecret('cw_pk_') : null,
      client_id: given.kind === 'secret' ? newSecret('cw_id_') : null,
      secret_hash: clientSecret === undefined ? null : hashSecret(clientSecret),
      status: 'live',
      last_used_at: null,
      created_at: now,
      updated_at: now,
    },
  }
}

/** Creates the public key of a new external base, in the transaction that creates the base. */
export async function createFirstClientKey(
  transaction: Db<'client_keys'>,
  base: { id: string; name: string },
  newId: () => string,
  now: Date,
): Promise<ClientKeyRow> {
  const first: NewClientKey = {
    name: base.name,
    kind: 'public',
    allow_mcp_access: true,
    allowed_origins: [],
    allowed_source_group_ids: [],
  }
  const { row } = makeClientKey(base.id, first, newId(), now)
  await insertClientKey(transaction, row)
  return row
}

const counted = { counts: 'client_keys' as const, count: countRecords('client_keys') }

/** An external base has a public key from the start; an internal one has none. */
export const clientKeyHooks: BaseHooks = {
  records: [{ noun: 'client-keys', table: 'client_keys', name: 'name' }],
  owned: [counted],
  affectedByInternal: [
    { shows: 'client_keys', name: nameRecords('client_keys', { name: 'name', where: { status: ['live'] } }) },
  ],
  onCreated: async (transaction: Db<'client_keys'>, { base, newId, now }) => {
    if (base.type === 'internal') return {}
    return { client_key: presentClientKey(await createFirstClientKey(transaction, base, newId, now)) }
  },
  onTypeChanged: async (transaction: Db<'client_keys' | ActivityTables>, { caller, base, newId, now }) => {
    if (base.type === 'internal') {
      await revokeClientKeys(transaction, base.id, now)
      return {}
    }
    if (await hasLiveKey(transaction, base.id)) return {}
    const row = await createFirstClientKey(transaction, base, newId, now)
    // A member caused this, unlike at creation, which is itself the activity.
    await recordKey(transaction, { caller, base, row, action: 'created', at: now })
    return { client_key: presentClientKey(row) }
  },
}

export function createClientKeys({
  db,
  knowledgeBases,
  findGroups,
  newId,
  now,
  onRevoked,
  onUseNotRecorded,
}: ClientKeysDeps) {
  const bases = createRecordBases({ db, knowledgeBases, table: 'client_keys', noun: 'client key' })
  const recordUse = createUseRecorder(touchIn(db, 'client_keys'), onUseNotRecorded)

  /** Creates a key. The secret of a pair is only in this answer. */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewClientKey,
  ): Promise<{ row: ClientKeyRow; clientSecret: string | undefined }> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    await requireGroups(knowledgeBaseId, given.allowed_source_group_ids)
    const made = makeClientKey(knowledgeBaseId, given, newId(), now())
    await db.transaction().execute(async (transaction: ClientKeysDb) => {
      // The base may become internal concurrently: its keys are then revoked, and this one would be missed.
      const type = await lockType(transaction, knowledgeBaseId)
      if (type === undefined) throw bases.notFound()
      if (type === 'internal')
        throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
          because: 'An internal knowledge base has no client keys.',
        })
      await insertClientKey(transaction, made.row)
      const details = { kind: made.row.kind, allow_mcp_access: made.row.allow_mcp_access }
      await recordKey(transaction, { caller, base, row: made.row, action: 'created', details, at: now() })
    })
    return made
  }

  async function requireGroups(knowledgeBaseId: string, groupIds: readonly string[]): Promise<void> {
    const known = await findGroups(knowledgeBaseId, groupIds)
    const details = groupIds.flatMap((id, index) =>
      known.has(id)
        ? []
        : [
            {
              path: `allowed_source_group_ids.${index}`,
              message: 'is not a source group of this knowledge base',
            },
          ],
    )
    if (details.length > 0) throw new Refusal('BAD_REQUEST', { details })
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<ClientKeyRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await listRecords(db, 'client_keys', { ...page, knowledgeBaseId })
  }

  async function change(caller: Caller, keyId: string, changes: ClientKeyChange): Promise<ClientKeyRow> {
    const base = await bases.openActive(caller, keyId, 'config')
    const knowledgeBaseId = base.id
    if (changes.allowed_source_group_ids !== undefined)
      await requireGroups(knowledgeBaseId, changes.allowed_source_group_ids)
    return await db.transaction().execute(async (transaction: ClientKeysDb) => {
      const row = await updateClientKey(transaction, { knowledgeBaseId, keyId, now: now() }, changes)
      if (row === undefined) throw new Refusal('CONFLICT', { because: 'The client key was revoked.' })
      const details = { fields: Object.keys(changes).toSorted() }
      await recordKey(transaction, { caller, base, row, action: 'updated', details, at: now() })
      return row
    })
  }

  /** Revokes a key with immediate effect; it stays in the list as revoked. */
  async function revoke(caller: Caller, keyId: string): Promise<void> {
    const base = await bases.open(caller, keyId, 'config')
    const knowledgeBaseId = base.id
    await db.transaction().execute(async (transaction: ClientKeysDb) => {
      const row = await revokeClientKey(transaction, { knowledgeBaseId, keyId, now: now() })
      if (row !== undefined) await recordKey(transaction, { caller, base, row, action: 'revoked', at: now() })
    })
    onRevoked?.({ knowledgeBaseId, clientKeyId: keyId })
  }

  /**
   * The live key that a client presents. It is looked up on every request, so that revoking takes effect immediately. Throws
   * UNAUTHENTICATED for an unknown or revoked key, KNOWLEDGE_BASE_INTERNAL if the base became internal.
   */
  async function authenticateClient(credentials: ClientCredentials): Promise<ClientKey> {
    const found = await findCredentials(credentials)
    if (found === undefined) throw unauthenticated('The client key is not known.')
    const { key: row, base } = found
    if (base.type === 'internal') throw new Refusal('KNOWLEDGE_BASE_INTERNAL')
    if (row.status === 'revoked') throw unauthenticated('The client key was revoked.')
    recordUse({ id: row.id, recorded: row.last_used_at, now: now() })
    return {
      knowledgeBaseId: row.knowledge_base_id,
      clientKeyId: row.id,
      kind: row.kind,
      allowedOrigins: row.allowed_origins,
      allowedSourceGroupIds: row.allowed_source_group_ids,
      allowMcpAccess: row.allow_mcp_access,
      base,
    }
  }

  async function findCredentials(credentials: ClientCredentials) {
    if ('key' in credentials) {
      if (inspectSecret(credentials.key, 'cw_pk_') !== 'well-formed') return undefined
      return await findClientKey(db, { column: 'public_key', value: credentials.key })
    }
    const { clientId, clientSecret } = credentials
    if (inspectSecret(clientId, 'cw_id_') !== 'well-formed') return undefined
    if (inspectSecret(clientSecret, 'cw_sk_') !== 'well-formed') return undefined
    const found = await findClientKey(db, { column: 'client_id', value: clientId })
    return isHashOf(found?.key.secret_hash ?? '', clientSecret) ? found : undefined
  }

  return { create, list, change, revoke, authenticateClient }
}

export type ClientKeys = ReturnType<typeof createClientKeys>

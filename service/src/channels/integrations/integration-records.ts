import type { Permission } from '@citewell/contract/endpoint'
import type { KnowledgeBaseRow, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { parseJson } from '../../kernel/json.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { SealedPlace, Sealer } from '../../platform/secrets/sealed.ts'
import type { Credentials, IntegrationKind, NewIntegration } from './integration-kind.ts'
import {
  deleteIntegration,
  findBaseOfIntegration,
  findIntegration,
  insertIntegration,
  listIntegrations,
  updateIntegration,
  type IntegrationFields,
  type IntegrationRow,
  type IntegrationsDb,
} from './integrations-store.ts'

export interface IntegrationsDeps {
  db: IntegrationsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  sealer: Pick<Sealer, 'seal'>
  newId: () => string
  now: () => Date
}

export interface IntegrationChange {
  name?: string | undefined
  enabled?: boolean | undefined
  description?: string | null | undefined
  config?: Record<string, unknown> | undefined
  /** Null deletes them. */
  credentials?: Credentials | null | undefined
  acknowledge_internal?: boolean | undefined
}

/** Whether a change makes it answer: it is switched on, or it is on and gets its first credentials. */
const isConnectedBy = (row: IntegrationRow, { enabled = row.enabled, credentials }: IntegrationChange) =>
  enabled &&
  (!row.enabled || (row.sealed_credentials === null && credentials !== undefined && credentials !== null))

/** The context that credentials are sealed to. */
export const sealedCredentialsContext = (id: string): SealedPlace => ({
  table: 'integrations',
  row: id,
  column: 'sealed_credentials',
})

/** The credentials of an integration; undefined if there are none. */
export function openCredentials(
  sealer: Pick<Sealer, 'open'>,
  { id, sealed_credentials: sealed }: Pick<IntegrationRow, 'id' | 'sealed_credentials'>,
): Credentials | undefined {
  if (sealed === null) return undefined
  // Written by `sealed` below.
  return parseJson(sealer.open(sealed, sealedCredentialsContext(id))) as Credentials
}

/** The records of one kind. */
export function createIntegrationRecords<Shown>(
  { kind, noun, requireAllowedIn, requireValid, present }: IntegrationKind<Shown>,
  { db, knowledgeBases, sealer, newId, now }: IntegrationsDeps,
) {
  const notFound = () => new Refusal('NOT_FOUND', { because: `There is no such ${noun}.` })

  const sealed = (id: string, credentials: Credentials | null | undefined): string | null =>
    credentials === undefined || credentials === null
      ? null
      : sealer.seal(JSON.stringify(credentials), sealedCredentialsContext(id))

  async function create(caller: Caller, knowledgeBaseId: string, given: NewIntegration): Promise<Shown> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    requireAllowedIn?.(base, given)
    requireValid?.(given.config)
    const id = newId()
    const row: IntegrationRow = {
      knowledge_base_id: knowledgeBaseId,
      id,
      kind,
      name: given.name,
      platform: given.platform ?? null,
      handles: given.handles ?? null,
      description: given.description ?? null,
      enabled: given.enabled,
      config: given.config,
      sealed_credentials: sealed(id, given.credentials),
      problem: null,
      problem_at: null,
      created_at: now(),
      updated_at: now(),
    }
    await insertIntegration(db, row)
    return present(row, base)
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<Shown[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    const rows = await listIntegrations(db, { ...page, knowledgeBaseId, kind })
    return rows.map((row) => present(row, base))
  }

  /** The record, for a caller with this permission on its base; `active` refuses an archived base. */
  async function open(
    caller: Caller,
    id: string,
    needs: { permission: Permission; active: boolean },
  ): Promise<{ row: IntegrationRow; base: KnowledgeBaseRow }> {
    const knowledgeBaseId = await findBaseOfIntegration(db, kind, id)
    if (knowledgeBaseId === undefined) throw notFound()
    const base = needs.active
      ? await knowledgeBases.openActive(caller, knowledgeBaseId, needs.permission)
      : await knowledgeBases.open(caller, knowledgeBaseId, needs.permission)
    const row = await findIntegration(db, { knowledgeBaseId, kind, id })
    if (row === undefined) throw notFound()
    return { row, base }
  }

  async function get(caller: Caller, id: string): Promise<Shown> {
    const { row, base } = await open(caller, id, { permission: 'member', active: false })
    return present(row, base)
  }

  async function change(caller: Caller, id: string, given: IntegrationChange): Promise<Shown> {
    const { credentials, name, enabled, description, config } = given
    const { row: before, base } = await open(caller, id, { permission: 'config', active: true })
    if (isConnectedBy(before, given)) requireAllowedIn?.(base, given)
    if (config !== undefined) requireValid?.(config)
    const fields: IntegrationFields = {
      ...(name !== undefined && { name }),
      ...(enabled !== undefined && { enabled }),
      ...(description !== undefined && { description }),
      ...(config !== undefined && { config }),
      // With other credentials, what went wrong before says nothing any more.
      ...(credentials !== undefined && {
        sealed_credentials: sealed(id, credentials),
        problem: null,
        problem_at: null,
      }),
    }
    const row = await updateIntegration(db, { knowledgeBaseId: base.id, kind, id }, fields, now())
    if (row === undefined) throw notFound()
    return present(row, base)
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { base } = await open(caller, id, { permission: 'config', active: false })
    await deleteIntegration(db, { knowledgeBaseId: base.id, kind, id })
  }

  return { create, list, get, open, change, remove }
}

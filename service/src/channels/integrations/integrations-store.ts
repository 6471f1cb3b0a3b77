import type { Selectable } from 'kysely'
import { addressOrigin } from './address-origin.ts'
import type { IntegrationsTable } from './integrations-table.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type IntegrationsDb = Db<'integrations'>

export type IntegrationRow = Selectable<IntegrationsTable>

export type IntegrationKindName = IntegrationRow['kind']

export async function insertIntegration(db: IntegrationsDb, row: IntegrationRow): Promise<void> {
  await db
    .insertInto('integrations')
    .values({ ...row, config: JSON.stringify(row.config) })
    .execute()
}

/** The base of an integration; the caller must check access to it. */
export async function findBaseOfIntegration(
  db: IntegrationsDb,
  kind: IntegrationKindName,
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('integrations')
    .select('knowledge_base_id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.knowledge_base_id
}

export interface OneIntegration {
  knowledgeBaseId: string
  kind: IntegrationKindName
  id: string
}

export async function findIntegration(
  db: IntegrationsDb,
  { knowledgeBaseId, kind, id }: OneIntegration,
): Promise<IntegrationRow | undefined> {
  return await db
    .selectFrom('integrations')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** An integration of any base; the caller must prove that it may know of it. */
export async function findIntegrationById(
  db: IntegrationsDb,
  id: string,
): Promise<IntegrationRow | undefined> {
  return await db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Notes why an integration cannot work, for its owner; null if it works again. */
export async function noteProblem(
  db: IntegrationsDb,
  { knowledgeBaseId, id }: { knowledgeBaseId: string; id: string },
  problem: string | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ problem, problem_at: problem === null ? null : now })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .$if(problem === null, (query) => query.where('problem', 'is not', null))
    .execute()
}

export async function listIntegrations(
  db: IntegrationsDb,
  of: PageRequest & { knowledgeBaseId: string; kind: IntegrationKindName },
): Promise<IntegrationRow[]> {
  return await db
    .selectFrom('integrations')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('kind', '=', of.kind)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
}

/** The integrations of these platforms, of any base, that are on and have credentials: at most 1,000. */
export async function listDriven(
  db: IntegrationsDb,
  of: { kind: IntegrationKindName; platforms: readonly string[] },
): Promise<IntegrationRow[]> {
  return await db
    .selectFrom('integrations')
    .selectAll()
    .where('kind', '=', of.kind)
    .where('platform', 'in', of.platforms)
    .where('enabled', '=', true)
    .where('sealed_credentials', 'is not', null)
    .orderBy('id')
    .limit(1_000)
    .execute()
}

/** The fields to change; missing fields are kept. */
export type IntegrationFields = Partial<
  Pick<
    IntegrationRow,
    'name' | 'description' | 'enabled' | 'config' | 'sealed_credentials' | 'problem' | 'problem_at'
  >
>

/**
 * Changes the given fields; `config` is merged key by key. Credentials that are not given again are deleted if the config now names another
 * host: they are never sent to a host that they were not given for.
 */
export async function updateIntegration(
  db: IntegrationsDb,
  one: OneIntegration,
  { config, ...plain }: IntegrationFields,
  now: Date,
): Promise<IntegrationRow | undefined> {
  return await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('integrations')
      .select('config')
      .where('knowledge_base_id', '=', one.knowledgeBaseId)
      .where('id', '=', one.id)
      .where('kind', '=', one.kind)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) return undefined
    const merged = { ...before.config, ...config }
    const isElsewhere = addressOrigin(merged) !== addressOrigin(before.config)
    const withoutCredentials = { sealed_credentials: null, problem: null, problem_at: null }
    return await transaction
      .updateTable('integrations')
      .set({
        ...(isElsewhere && withoutCredentials),
        ...plain,
        config: JSON.stringify(merged),
        updated_at: now,
      })
      .where('knowledge_base_id', '=', one.knowledgeBaseId)
      .where('id', '=', one.id)
      .returningAll()
      .executeTakeFirst()
  })
}

export async function deleteIntegration(
  db: IntegrationsDb,
  { knowledgeBaseId, kind, id }: OneIntegration,
): Promise<void> {
  await db
    .deleteFrom('integrations')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .execute()
}

export async function countIntegrations(
  db: IntegrationsDb,
  kind: IntegrationKindName,
  knowledgeBaseId: string,
): Promise<number> {
  const row = await db
    .selectFrom('integrations')
    .select((counted) => counted.fn.countAll<string>().as('count'))
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * Whether the base has this integration, of this kind if one is named.
 *
 * @param given.locks in a transaction: keeps it from being deleted until that ends
 */
export async function hasIntegration(
  db: IntegrationsDb,
  of: { knowledgeBaseId: string; id: string; kind?: IntegrationKindName },
  given: { locks?: boolean } = {},
): Promise<boolean> {
  const row = await db
    .selectFrom('integrations')
    .select('id')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .$if(of.kind !== undefined, (query) => query.where('kind', '=', of.kind ?? 'bot'))
    .$if(given.locks === true, (query) => query.forKeyShare())
    .executeTakeFirst()
  return row !== undefined
}

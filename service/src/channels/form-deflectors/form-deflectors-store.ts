import type { FormDeflectorChange } from '@citewell/contract/form-deflectors'
import type { FormDeflectorsTable } from '../../platform/storage/channels-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type FormDeflectorsDb = Db<'form_deflectors'>

export type FormDeflectorRow = FormDeflectorsTable

export async function insertFormDeflector(db: FormDeflectorsDb, form: FormDeflectorRow): Promise<void> {
  await db.insertInto('form_deflectors').values(form).execute()
}

/** The base that a form belongs to, before it is known whether the caller may see it. */
export async function findBaseOfFormDeflector(
  db: FormDeflectorsDb,
  formId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('form_deflectors')
    .select('knowledge_base_id')
    .where('id', '=', formId)
    .executeTakeFirst()
  return row?.knowledge_base_id
}

export async function findFormDeflector(
  db: FormDeflectorsDb,
  knowledgeBaseId: string,
  formId: string,
): Promise<FormDeflectorRow | undefined> {
  return await db
    .selectFrom('form_deflectors')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', formId)
    .executeTakeFirst()
}

export async function listFormDeflectors(
  db: FormDeflectorsDb,
  of: { knowledgeBaseId: string; after: string | undefined; limit: number },
): Promise<FormDeflectorRow[]> {
  return await db
    .selectFrom('form_deflectors')
    .selectAll()
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .$if(of.after !== undefined, (query) => query.where('id', '>', of.after ?? ''))
    .orderBy('id')
    .limit(of.limit)
    .execute()
}

export async function updateFormDeflector(
  db: FormDeflectorsDb,
  of: { knowledgeBaseId: string; formId: string; now: Date },
  changes: FormDeflectorChange,
): Promise<FormDeflectorRow | undefined> {
  return await db
    .updateTable('form_deflectors')
    .set({ ...changes, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.formId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteFormDeflector(
  db: FormDeflectorsDb,
  knowledgeBaseId: string,
  formId: string,
): Promise<void> {
  await db
    .deleteFrom('form_deflectors')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', formId)
    .execute()
}

export async function countFormDeflectors(db: FormDeflectorsDb, knowledgeBaseId: string): Promise<number> {
  const row = await db
    .selectFrom('form_deflectors')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

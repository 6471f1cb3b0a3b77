import type { FormDeflectorChange } from '@citewell/contract/form-deflectors'
import type { FormDeflectorsTable } from '../../platform/storage/channels-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type FormDeflectorsDb = Db<'form_deflectors'>

export type FormDeflectorRow = FormDeflectorsTable

export async function insertFormDeflector(db: FormDeflectorsDb, form: FormDeflectorRow): Promise<void> {
  await db.insertInto('form_deflectors').values(form).execute()
}

export async function updateFormDeflector(
  db: FormDeflectorsDb,
  of: { knowledgeBaseId: string; id: string; now: Date },
  changes: FormDeflectorChange,
): Promise<FormDeflectorRow | undefined> {
  return await db
    .updateTable('form_deflectors')
    .set({ ...changes, updated_at: of.now })
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('id', '=', of.id)
    .returningAll()
    .executeTakeFirst()
}

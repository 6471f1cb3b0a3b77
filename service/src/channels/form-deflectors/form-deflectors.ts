import { createBaseRecords } from '../../accounts/base-records/base-records.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { countRecords, nameRecords } from '../../platform/storage/base-records.ts'
import type { FormDeflectorsTable } from './form-deflectors-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export { createDeflections } from './deflections.ts'

export type FormDeflectorRow = FormDeflectorsTable

export interface FormDeflectorsDeps {
  db: Db<'form_deflectors'>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  newId: () => string
  now: () => Date
}

export const formDeflectorHooks: BaseHooks = {
  records: [{ noun: 'form-deflectors', table: 'form_deflectors', name: 'name' }],
  owned: [{ counts: 'form_deflectors', count: countRecords('form_deflectors') }],
  affectedByInternal: [
    {
      shows: 'form_deflectors',
      name: nameRecords('form_deflectors', { name: 'name', where: { enabled: ['true'] } }),
    },
  ],
}

/** The records of form deflectors. `deflections.ts` answers the text of forms. */
export const createFormDeflectors = (deps: FormDeflectorsDeps) =>
  createBaseRecords({
    ...deps,
    table: 'form_deflectors',
    noun: 'form deflector',
    requireAllowedIn: (base) => {
      if (base.type === 'external') return
      throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
        because: 'An internal knowledge base cannot have a form deflector.',
      })
    },
  })

export type FormDeflectors = ReturnType<typeof createFormDeflectors>

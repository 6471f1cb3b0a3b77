import type { FormDeflectorChange, NewFormDeflector } from '@citewell/contract/form-deflectors'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import {
  insertFormDeflector,
  updateFormDeflector,
  type FormDeflectorRow,
  type FormDeflectorsDb,
} from './form-deflectors-store.ts'
import {
  countRecords,
  deleteRecord,
  findBaseOf,
  findRecord,
  listRecords,
} from '../../platform/storage/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export { createDeflections, type Deflections } from './deflections.ts'
export type { FormDeflectorRow } from './form-deflectors-store.ts'

export interface FormDeflectorsDeps {
  db: FormDeflectorsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  newId: () => string
  now: () => Date
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such form deflector.' })

export const formDeflectorHooks: BaseHooks = {
  owned: [{ counts: 'form_deflectors', count: countRecords('form_deflectors') }],
}

/** The records of form deflectors. `deflections.ts` answers the text of forms. */
export function createFormDeflectors({ db, knowledgeBases, newId, now }: FormDeflectorsDeps) {
  async function baseOf(caller: Caller, formId: string): Promise<string> {
    const knowledgeBaseId = await findBaseOf(db, 'form_deflectors', formId)
    if (knowledgeBaseId === undefined) throw notFound()
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return knowledgeBaseId
  }

  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: NewFormDeflector,
  ): Promise<FormDeflectorRow> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    if (base.type === 'internal') {
      throw new Refusal('KNOWLEDGE_BASE_INTERNAL', {
        because: 'An internal knowledge base cannot have a form deflector.',
      })
    }
    const row = {
      ...given,
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      created_at: now(),
      updated_at: now(),
    }
    await insertFormDeflector(db, row)
    return row
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest,
  ): Promise<FormDeflectorRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listRecords(db, 'form_deflectors', { ...page, knowledgeBaseId })
  }

  async function get(caller: Caller, formId: string): Promise<FormDeflectorRow> {
    const row = await findRecord(db, 'form_deflectors', {
      knowledgeBaseId: await baseOf(caller, formId),
      id: formId,
    })
    if (row === undefined) throw notFound()
    return row
  }

  async function change(
    caller: Caller,
    formId: string,
    changes: FormDeflectorChange,
  ): Promise<FormDeflectorRow> {
    const knowledgeBaseId = await baseOf(caller, formId)
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const row = await updateFormDeflector(db, { knowledgeBaseId, formId, now: now() }, changes)
    if (row === undefined) throw notFound()
    return row
  }

  async function remove(caller: Caller, formId: string): Promise<void> {
    const knowledgeBaseId = await baseOf(caller, formId)
    await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    await deleteRecord(db, 'form_deflectors', { knowledgeBaseId, id: formId })
  }

  return { create, list, get, change, remove }
}

export type FormDeflectors = ReturnType<typeof createFormDeflectors>

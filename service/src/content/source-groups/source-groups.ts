import { Refusal } from '../../kernel/refusal.ts'
import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { allowsSourceGroups } from '../../accounts/plans/plans.ts'
import {
  deleteSourceGroup,
  findPlan,
  insertSourceGroup,
  updateSourceGroup,
  type SourceGroupChanges,
  type SourceGroupRow,
  type SourceGroupsDb,
} from './source-groups-store.ts'
import type { Events } from '../../platform/events/events.ts'
import { findBaseOf, listRecords } from '../../platform/storage/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type { SourceGroupRow } from './source-groups-store.ts'

export interface SourceGroupsDeps {
  db: SourceGroupsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  events: Pick<Events, 'announce'>
  newId: () => string
  now: () => Date
}

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such source group.' })

export function createSourceGroups({ db, knowledgeBases, events, newId, now }: SourceGroupsDeps) {
  /** Creates a group. Throws PLAN_REQUIRED below the Enterprise plan; groups created before a downgrade keep working. */
  async function create(
    caller: Caller,
    knowledgeBaseId: string,
    given: { name: string; description?: string | null | undefined },
  ): Promise<SourceGroupRow> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const plan = await findPlan(db, base.workspace_id)
    if (plan === undefined || !allowsSourceGroups(plan)) {
      throw new Refusal('PLAN_REQUIRED', { because: 'Source groups need the Enterprise plan.' })
    }
    const row: SourceGroupRow = {
      knowledge_base_id: knowledgeBaseId,
      id: newId(),
      name: given.name,
      description: given.description ?? null,
      created_at: now(),
      updated_at: now(),
    }
    await insertSourceGroup(db, row)
    return row
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<SourceGroupRow[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await listRecords(db, 'source_groups', { ...page, knowledgeBaseId })
  }

  async function baseOf(caller: Caller, groupId: string): Promise<string> {
    const knowledgeBaseId = await findBaseOf(db, 'source_groups', groupId)
    if (knowledgeBaseId === undefined) throw notFound()
    await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    return knowledgeBaseId
  }

  async function change(
    caller: Caller,
    groupId: string,
    changes: SourceGroupChanges,
  ): Promise<SourceGroupRow> {
    const knowledgeBaseId = await baseOf(caller, groupId)
    const row = await updateSourceGroup(db, { knowledgeBaseId, groupId, now: now() }, changes)
    if (row === undefined) throw notFound()
    return row
  }

  async function remove(caller: Caller, groupId: string): Promise<void> {
    const knowledgeBaseId = await baseOf(caller, groupId)
    await deleteSourceGroup(db, { knowledgeBaseId, groupId, now: now() })
    events.announce('content.changed', { knowledgeBaseId })
  }

  return { create, list, change, remove }
}

export type SourceGroups = ReturnType<typeof createSourceGroups>

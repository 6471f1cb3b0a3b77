import { verifies } from '@citewell/spec/verifies'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeBase, makeGroup, makeSource } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { narrowBases, type NarrowedBase } from './narrow-bases.ts'

const KINDS = ['own', 'foreign'] as const
let storage: TestStorage
/** Sources with their group and base. */
const sources: { id: string; groupId: string | undefined; baseId: string }[] = []
const bases = { own: [] as string[], foreign: [] as string[] }
const groups: { id: string; baseId: string }[] = []

beforeAll(async () => {
  storage = await openTestStorage()
  for (const kind of [...KINDS, ...KINDS]) {
    const { id: baseId } = await makeBase(storage.db)
    bases[kind].push(baseId)
    for (const inGroup of [true, true, false]) {
      const groupId = inGroup ? await makeGroup(storage.db, baseId) : undefined
      if (groupId !== undefined) groups.push({ id: groupId, baseId })
      const id = await makeSource(storage.db, baseId, { source_group_id: groupId ?? null })
      sources.push({ id, groupId, baseId })
    }
  }
})
afterAll(() => storage.close())

/** The sources that are read. */
const read = (narrowed: readonly NarrowedBase<{ id: string }>[]) =>
  sources
    .filter(({ id, groupId, baseId }) =>
      narrowed.some(
        ({ base, groupIds, sourceIds }) =>
          base.id === baseId &&
          (groupIds === undefined || (groupId !== undefined && groupIds.includes(groupId))) &&
          (sourceIds === undefined || sourceIds.includes(id)),
      ),
    )
    .map(({ id }) => id)

const narrow = async (asked: Parameters<typeof narrowBases>[2]) => {
  try {
    const own = bases.own.map((id) => ({ id }))
    return read(await narrowBases(storage.db, own, asked, { bases: 'here', parts: 'there' }))
  } catch (fault) {
    if (fault instanceof Refusal && fault.code === 'NOT_FOUND') return 'refused'
    throw fault
  }
}

const listOf = (ids: () => readonly string[]) =>
  fc.option(fc.array(fc.nat(), { maxLength: 3 }), { nil: undefined }).map((places) =>
    places?.map((place) => {
      const all = [...ids(), newId()]
      const id = all[place % all.length] ?? ''
      return place % 2 === 0 ? id : id.toUpperCase()
    }),
  )

verifies(
  'mcp.portal-narrowing',
  'knowledge_base_ids, group_ids and source_ids only narrow, also in combination, and an empty list has no effect',
  async () => {
    const everything = sources.filter(({ baseId }) => bases.own.includes(baseId)).map(({ id }) => id)
    expect(await narrow({})).toEqual(everything)
    expect(await narrow({ knowledge_base_ids: [], group_ids: [], source_ids: [] })).toEqual(everything)

    await fc.assert(
      fc.asyncProperty(
        listOf(() => [...bases.own, ...bases.foreign]),
        listOf(() => groups.map(({ id }) => id)),
        listOf(() => sources.map(({ id }) => id)),
        async (knowledge_base_ids, group_ids, source_ids) => {
          const asked = { knowledge_base_ids, group_ids, source_ids }
          const has = (list: readonly string[] | undefined, id: string | undefined) =>
            list === undefined || list.length === 0 || list.some((one) => one.toLowerCase() === id)
          const known = new Set([
            ...bases.own,
            ...groups.filter(({ baseId }) => bases.own.includes(baseId)).map(({ id }) => id),
            ...everything,
          ])
          const named = [knowledge_base_ids, group_ids, source_ids].flatMap((list) => list ?? [])
          const expected = named.every((id) => known.has(id.toLowerCase()))
            ? sources
                .filter(({ baseId }) => bases.own.includes(baseId))
                .filter(
                  ({ id, groupId, baseId }) =>
                    has(knowledge_base_ids, baseId) && has(group_ids, groupId) && has(source_ids, id),
                )
                .map(({ id }) => id)
            : 'refused'
          expect(await narrow(asked)).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  },
)

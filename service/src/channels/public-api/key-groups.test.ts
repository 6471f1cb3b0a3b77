import { verifies } from '@citewell/spec/verifies'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeGroup } from '../../../test/make-records.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { newId } from '../../kernel/ids.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>

beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage, limits: { searchPerKey: 0, relatedPerKey: 0 } })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

/** A base with one page per group, and one page without a group. */
async function makeGrouped() {
  const base = await api.makeAskable([])
  const groups = [
    await makeGroup(storage.db, base.id),
    await makeGroup(storage.db, base.id),
    await makeGroup(storage.db, base.id),
  ]
  await api.addPages(base.id, [
    { title: 'No group', text: 'Signing keys of nobody rotate daily.' },
    ...groups.map((groupId, place) => ({
      title: `Group ${place}`,
      text: `Signing keys of group ${place} rotate daily.`,
      groupId,
      version: `v${place}`,
    })),
  ])
  return { base, groups }
}

const limitKey = (keyId: string, groupIds: readonly string[]) =>
  storage.db
    .updateTable('client_keys')
    .set({ allowed_source_group_ids: [...groupIds] })
    .where('id', '=', keyId)
    .execute()

async function search(base: { id: string; key: string }, group_ids: unknown) {
  const response = await api.send(`/public/knowledge-bases/${base.id}/search`, {
    headers: { 'x-client-key': base.key },
    body: { query: 'Which signing keys rotate daily?', ...(group_ids !== undefined && { group_ids }) },
  })
  const body = (await response.json()) as {
    code?: string
    results?: { title: string; version_label: string | null }[]
  }
  return response.status === 200 ? new Set((body.results ?? []).map(({ title }) => title)) : body.code
}

verifies(
  ['source-groups.keys-narrow', 'traps.groups-narrow'],
  'whatever group_ids a request names, it gets only pages in both these and the groups of its key, or a refusal',
  async () => {
    const { base, groups } = await makeGrouped()
    const foreign = await makeGroup(storage.db, (await api.makeAskable([])).id)
    const titleOf = new Map(groups.map((id, place) => [id, `Group ${place}`]))
    const someGroups = fc.subarray(groups)
    const askedId = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...groups) },
      { weight: 1, arbitrary: fc.constantFrom(foreign, newId(), '', 'keys', `${groups[0]} `) },
    )
    const asked = fc.oneof(fc.constantFrom(undefined, null, []), fc.array(askedId, { maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(someGroups, asked, async (ofKey, groupIds) => {
        await limitKey(base.keyId, ofKey)
        const found = await search(base, groupIds)
        const scope = ofKey.length === 0 ? groups : ofKey
        if ((groupIds ?? []).some((id) => !scope.includes(id))) {
          expect(found).toBe('GROUP_NOT_ALLOWED')
          return
        }
        const isAll = ofKey.length === 0 && (groupIds ?? []).length === 0
        const expected = (groupIds ?? []).length === 0 ? scope : [...new Set(groupIds)]
        const titles = [...expected.map((id) => titleOf.get(id)), ...(isAll ? ['No group'] : [])]
        expect(found).toEqual(new Set(titles))
      }),
      { numRuns: 300 },
    )
  },
  // 300 requests with groups drawn by chance: 20 s on a slow machine.
  120_000,
)

verifies(
  ['source-groups.deleted-opens-nothing', 'versions.scoped-surfaces'],
  'a key of one group is answered from that version only, and from nothing once its group is deleted',
  async () => {
    const { base, groups } = await makeGrouped()
    const [first = ''] = groups
    await limitKey(base.keyId, [first])
    expect(await search(base, undefined)).toEqual(new Set(['Group 0']))
    const answer = await api.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers: { 'x-client-key': base.key },
      body: { query: 'Which signing keys rotate daily?' },
    })
    const end = (await framesOf(answer)).at(-1)
    expect(end).toMatchObject({ done: true, citations: [{ title: 'Group 0 (v0)' }] })
    await storage.db.deleteFrom('source_groups').where('id', '=', first).execute()
    await storage.db
      .updateTable('sources')
      .set({ source_group_id: null })
      .where('source_group_id', '=', first)
      .execute()
    expect(await search(base, undefined)).toEqual(new Set())
    expect(await search(base, [])).toEqual(new Set())
    expect(await search(base, [first])).toBe('GROUP_NOT_ALLOWED')
    const related = await api.send(`/public/knowledge-bases/${base.id}/related`, {
      headers: { 'x-client-key': base.key },
      body: { query: 'Which signing keys rotate daily?' },
    })
    expect(await related.json()).toMatchObject({ articles: [], count: 0 })
  },
)

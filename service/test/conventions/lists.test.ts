import { LIMITS } from '@citewell/contract/limits'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { endpoints, makeApiWorld, type ApiWorld, type WireRecord } from './api-world.ts'

let world: ApiWorld

interface Page {
  data: WireRecord[]
  next_cursor: string | null
}

beforeAll(async () => {
  world = await makeApiWorld()
  const source = world.made.get('createSource')?.[0]
  for (let time = 0; time < 2; time += 1)
    await world.citewell.send('POST', `/api/v1/sources/${source?.id}/sync`)
})
afterAll(() => world[Symbol.asyncDispose]())

const lists = endpoints.filter(
  ({ query, method }) => method === 'GET' && query !== undefined && 'cursor' in query.shape,
)

const keyOf = (record: Record<string, unknown>) => JSON.stringify(record['id'] ?? record['user_id'] ?? record)

/** Reads a list in pages of one, and runs an action after the first page. */
async function readInPages(path: string, meanwhile: () => Promise<void> = async () => {}): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '?limit=1' : `?limit=1&cursor=${encodeURIComponent(cursor)}`
    const page: Page = await world.citewell.json<Page>('GET', `${path}${query}`)
    expect(page.data.length).toBeLessThanOrEqual(1)
    seen.push(...page.data.map(keyOf))
    cursor = page.next_cursor
    if (seen.length === 1) await meanwhile()
  } while (cursor !== null)
  return seen
}

verifies(
  'conventions.lists',
  'every list accepts limit and cursor within their bounds, and all lists have the same form',
  async () => {
    expect(lists.length).toBeGreaterThan(15)
    for (const endpoint of lists) {
      const { operationId } = endpoint
      const path = world.pathOf(endpoint)
      const ask = async (query: string) => (await world.citewell.send('GET', `${path}${query}`)).status
      // Lists of records that these requests cannot create are tested by their rooms.
      if ((await ask('')) === 404) continue
      expect([operationId, await ask('?limit=1'), await ask(`?limit=${LIMITS.page.max}`)]).toEqual([
        operationId,
        200,
        200,
      ])
      for (const query of [
        '?limit=0',
        '?limit=201',
        '?limit=x',
        '?limit=1.5',
        '?cursor=not-a-cursor',
        '?limit=1&limit=2',
      ]) {
        expect([operationId, query, await ask(query)]).toEqual([operationId, query, 400])
      }
      const page = await world.citewell.json<Page>('GET', path)
      expect({ operationId, page }).toEqual({
        operationId,
        page: { data: expect.any(Array), next_cursor: page.data.length === 50 ? expect.any(String) : null },
      })
      expect(endpoint.query?.parse({})).toMatchObject({ limit: 50 })
    }
  },
  { tags: ['long'] },
)

verifies(
  'conventions.lists-in-pages',
  'reading any list in pages of one returns every record once',
  async () => {
    let longer = 0
    for (const endpoint of lists) {
      const path = world.pathOf(endpoint)
      if ((await world.citewell.send('GET', path)).status === 404) continue
      const whole = (await world.citewell.json<Page>('GET', `${path}?limit=200`)).data.map(keyOf)
      const seen = await readInPages(path)
      expect({ operationId: endpoint.operationId, seen }).toEqual({
        operationId: endpoint.operationId,
        seen: whole,
      })
      if (whole.length >= 3) longer += 1
    }
    expect(longer).toBeGreaterThan(10)
  },
)

verifies(
  'conventions.lists-in-pages',
  'a record that is added between two pages neither hides nor repeats another',
  async () => {
    let added = 0
    for (const create of endpoints) {
      const [first] = world.made.get(create.operationId) ?? []
      const list = lists.find(({ path }) => path === create.path)
      if (first === undefined || list === undefined) continue
      const path = world.pathOf(list)
      const before = (await world.citewell.json<Page>('GET', `${path}?limit=200`)).data.map(keyOf)
      const seen = await readInPages(path, async () => {
        const response = await world.citewell.send('POST', world.pathOf(create), world.bodyOf(create, 90))
        expect([create.operationId, response.status]).toEqual([create.operationId, 201])
      })
      expect(new Set(seen).size).toBe(seen.length)
      expect({ list: list.operationId, missed: before.filter((key) => !seen.includes(key)) }).toEqual({
        list: list.operationId,
        missed: [],
      })
      added += 1
    }
    expect(added).toBeGreaterThan(10)
  },
)

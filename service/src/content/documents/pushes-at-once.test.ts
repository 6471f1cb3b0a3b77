import { randomUUID } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openPushedBase } from '../../../test/open-pushed-base.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let citewell: TestService
let base: Awaited<ReturnType<typeof openPushedBase>>

beforeAll(async () => {
  citewell = await startTestService()
  base = await openPushedBase(citewell, [{ title: 'Welcome', text: 'Welcome to the zoo.' }])
})
afterAll(async () => await citewell[Symbol.asyncDispose]())

type Visibility = 'public' | 'restricted'
const put = async (externalId: string, title: string, markdown: string, visibility: Visibility) =>
  await citewell.send('PUT', `/api/v1/sources/${base.sourceId}/documents`, {
    documents: [
      { external_id: externalId, title, url: `https://docs.example.com/${externalId}`, markdown, visibility },
    ],
  })
const open = async (id: string) => await put(id, 'open', `A walrus is open, says ${id}.`, 'public')
const hide = async (id: string) =>
  await put(id, 'hidden', `The walrus safe code is CANARY ${id}.`, 'restricted')

const documents = async (ids: readonly string[]) =>
  await citewell.rows(
    `select external_id, title, visibility from documents where external_id = any('{${ids.join(',')}}') and live_version is not null`,
  )
const searched = async () => {
  const response = await citewell.fetch(`/api/v1/public/knowledge-bases/${base.id}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-client-key': base.key },
    body: JSON.stringify({ query: 'walrus safe code CANARY', limit: 20 }),
  })
  expect(response.status).toBe(200)
  return await response.text()
}

verifies(
  'documents.pushed-visibility',
  'of two pushes of a new document at once, the one whose text is live decides who sees it',
  async () => {
    const ids = Array.from({ length: 25 }, () => randomUUID())
    for (const [at, id] of ids.entries()) {
      const both = at % 2 === 0 ? [open(id), hide(id)] : [hide(id), open(id)]
      expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    }
    const live = await documents(ids)
    expect(live).toHaveLength(ids.length)
    for (const { title, visibility } of live)
      expect(visibility).toBe(title === 'hidden' ? 'restricted' : 'public')
    expect(live.some(({ title }) => title === 'hidden')).toBe(true)
    expect(await searched()).not.toContain('CANARY')
  },
)

verifies(
  'documents.pushed-visibility',
  'what a push that crashed had begun says nothing about who sees the document',
  async () => {
    const id = randomUUID()
    // As a crash leaves it: begun, and never live.
    await citewell.rows(`
      insert into documents (knowledge_base_id, id, source_id, external_id, url, title, visibility, is_visibility_own,
        latest_version, created_at, updated_at)
      values ('${base.id}', gen_random_uuid(), '${base.sourceId}', '${id}', 'https://docs.example.com/${id}', 'open',
        'public', true, 1, now(), now())`)
    expect((await hide(id)).status).toBe(200)
    expect(await documents([id])).toMatchObject([{ title: 'hidden', visibility: 'restricted' }])
    expect(await searched()).not.toContain('CANARY')
  },
)

verifies('documents.push', 'an id that no address can have is refused', async () => {
  for (const id of ['.', '..', ' .. ']) {
    const refused = await open(id)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('must not be . or ..')
  }
  expect((await open('a/../b')).status).toBe(200)
})

verifies(
  'documents.push',
  'many pushes of a new document at once are all accepted, and the last one is kept',
  async () => {
    const id = randomUUID()
    const pushed = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, at) => await put(id, `number ${at}`, `Text number ${at}.`, 'public'),
      ),
    )
    const outcomes = await Promise.all(
      pushed.map(async (response) => {
        const { documents: kept } = (await response.json()) as { documents: { id: string }[] }
        return { status: response.status, id: kept[0]?.id }
      }),
    )
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(outcomes.map((one) => one.id)).size).toBe(1)
    expect(await documents([id])).toHaveLength(1)
  },
)

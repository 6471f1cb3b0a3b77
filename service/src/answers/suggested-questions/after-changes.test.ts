import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeGroup } from '../../../test/make-records.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'
import { createSearch } from '../../content/search/search.ts'
import { testAddresses } from '../../../test/test-addresses.ts'
import { createSuggestedQuestions } from './suggested-questions.ts'

let citewell: TestService
let baseId: string
let key: string
let push: string
beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const TEXTS = {
  'Rotating signing keys': 'To rotate signing keys, open the keys page and press rotate.',
  'Installing plugins': 'Plugins are installed with the plugin command. Install plugins one at a time.',
}
const KEYS = 'How do I rotate signing keys?'
const PLUGINS = 'How do I install plugins?'

const makeSource = async (type: string, more: object = {}) =>
  (
    await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/sources`, {
      type,
      name: type,
      config: {},
      ...more,
    })
  ).id
const send = (...titles: (keyof typeof TEXTS)[]) =>
  citewell.json('PUT', `/api/v1/sources/${push}/documents`, {
    documents: titles.map((title) => ({
      external_id: title.slice(0, 4),
      title,
      url: `https://docs.example.com/${title.slice(0, 4)}`,
      markdown: TEXTS[title],
    })),
  })
const documentIdOf = async (title: string) => {
  const { data } = await citewell.json<{ data: { id: string; title: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${baseId}/documents`,
  )
  return data.find((document) => document.title === title)?.id ?? ''
}

async function questions(clientKey = key): Promise<string[]> {
  const answer = await citewell.fetch(`/api/v1/public/knowledge-bases/${baseId}/suggested-questions`, {
    headers: { 'x-client-key': clientKey },
  })
  return ((await answer.json()) as { questions: string[] }).questions.toSorted()
}
const become = async (...expected: string[]) =>
  await expect.poll(() => questions(), { timeout: 15_000 }).toEqual(expected.toSorted())

beforeEach(async () => {
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Acme docs' },
  )
  baseId = base.id
  key = base.client_key.key
  push = await makeSource('push')
})

verifies(
  'suggested-questions.after-a-change',
  'the questions of an empty base are available with the first push, even if they were requested before',
  async () => {
    expect(await questions()).toEqual([])
    await send('Rotating signing keys')
    expect(await questions()).toEqual([KEYS])
  },
)

const CHANGES: [string, () => Promise<unknown>, string[]][] = [
  ['a push', () => send('Installing plugins'), [KEYS, PLUGINS]],
  [
    'a push that changes a title',
    () =>
      citewell.json('PUT', `/api/v1/sources/${push}/documents`, {
        documents: [
          {
            external_id: 'Rota',
            title: 'Installing plugins',
            url: 'https://docs.example.com/Rota',
            markdown: TEXTS['Installing plugins'],
          },
        ],
      }),
    [PLUGINS],
  ],
  [
    'the deletion of a pushed document',
    () => citewell.json('DELETE', `/api/v1/sources/${push}/documents/Rota`),
    [],
  ],
  [
    'a deleted document',
    async () => citewell.json('DELETE', `/api/v1/documents/${await documentIdOf('Rotating signing keys')}`),
    [],
  ],
  ['a deleted source', () => citewell.json('DELETE', `/api/v1/sources/${push}`), []],
  [
    'a restricted source',
    () => citewell.json('PATCH', `/api/v1/sources/${push}`, { visibility: 'restricted' }),
    [],
  ],
  [
    'a custom answer',
    () =>
      citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/custom-answers`, {
        question: PLUGINS,
        answer: TEXTS['Installing plugins'],
      }),
    [KEYS, PLUGINS],
  ],
  [
    'an uploaded file',
    async () => {
      const form = new FormData()
      form.append('file', new File([`# Installing plugins\n\n${TEXTS['Installing plugins']}`], 'plugins.md'))
      const files = await makeSource('files')
      await outsideRequest(`${citewell.address}/api/v1/sources/${files}/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OWNER_TOKEN}` },
        body: form,
      })
    },
    [KEYS, PLUGINS],
  ],
  [
    'a change of type and back',
    async () => {
      await citewell.json('PATCH', `/api/v1/knowledge-bases/${baseId}`, { type: 'internal' })
      await citewell.json('PATCH', `/api/v1/knowledge-bases/${baseId}`, { type: 'external' })
      const made = await citewell.json<{ key: string }>(
        'POST',
        `/api/v1/knowledge-bases/${baseId}/client-keys`,
        { name: 'Again', kind: 'public' },
      )
      key = made.key
    },
    [],
  ],
  [
    'archive and restore',
    async () => {
      await citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/archive`)
      await citewell.json('POST', `/api/v1/knowledge-bases/${baseId}/restore`)
      await send('Installing plugins')
    },
    [KEYS, PLUGINS],
  ],
]

for (const [name, change, expected] of CHANGES) {
  verifies('suggested-questions.after-a-change', `the questions are updated after ${name}`, async () => {
    await send('Rotating signing keys')
    await become(KEYS)
    await change()
    await become(...expected)
  })
}

verifies(
  'suggested-questions.after-a-change',
  'the questions are updated when a source moves to a group',
  async () => {
    await send('Rotating signing keys', 'Installing plugins')
    await become(KEYS, PLUGINS)
    const group = await makeGroup(citewell.storage.db, baseId)
    const { key: narrow } = await citewell.json<{ key: string }>(
      'POST',
      `/api/v1/knowledge-bases/${baseId}/client-keys`,
      { name: 'Narrow', kind: 'public', allowed_source_group_ids: [group] },
    )
    expect(await questions(narrow)).toEqual([])
    await citewell.json('PATCH', `/api/v1/sources/${push}`, { source_group_id: group })
    await expect.poll(() => questions(narrow), { timeout: 15_000 }).toEqual([PLUGINS, KEYS].toSorted())
  },
)

test('a change by another process is detected from the database', async () => {
  const { db } = citewell.storage
  const search = createSearch({ db, embedder: () => undefined, addressOf: testAddresses.addressOf })
  const other = createSuggestedQuestions({
    db,
    search,
    now: () => new Date(),
    stopping: new AbortController().signal,
  })
  expect(await other.list(baseId, undefined)).toEqual([])
  await send('Rotating signing keys')
  await citewell.rows(
    `update suggested_questions set made_from = '', questions = '[]' where knowledge_base_id = '${baseId}'`,
  )
  await expect.poll(() => other.list(baseId, undefined), { timeout: 15_000 }).toEqual([KEYS])
})

import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { startFakeSite, textFile } from '../../../test/fake-site.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'

interface Sync {
  id: string
  status: string
  warnings: string[]
  counts: Record<string, number>
}
interface Page {
  data: { id: string; title: string; left_out: string[] }[]
}

const OTHER_FILES = 'References to other files are not followed: what they lead to is left out.'
const CELLS = 'Of the output of one cell the first 50 lines are read, and 5,000 characters.'

const descriptionOf = (schema: object) =>
  textFile(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets' },
      paths: {
        '/cats': { get: { summary: 'Cats', responses: { 200: { description: 'All cats.' } } } },
        '/pets': {
          post: { summary: 'Add a pet', requestBody: { content: { 'application/json': { schema } } } },
        },
      },
    }),
    'application/json',
  )

const notebookOf = (lines: number) =>
  JSON.stringify({
    cells: [
      { cell_type: 'markdown', source: '# Run\n\nHow to run it.' },
      {
        cell_type: 'code',
        source: 'run()',
        outputs: [{ text: Array.from({ length: lines }, () => 'out\n') }],
      },
    ],
  })

async function readAll(citewell: TestService, sourceId: string): Promise<Sync> {
  const { id } = await citewell.json<Sync>('POST', `/api/v1/sources/${sourceId}/sync`)
  const ended = await citewell.until<Sync>(
    `/api/v1/syncs/${id}`,
    ({ status }) => !/queued|running/.test(status),
  )
  expect(ended.status).toBe('succeeded')
  return ended
}

verifies(
  'documents.left-out',
  'what limits left out of a document is told at it, and by each sync of its source, until it is whole',
  async () => {
    await using site = await startFakeSite({
      '/api.json': descriptionOf({ properties: { owner: { $ref: './owner.json' } } }),
    })
    await using citewell = await startTestService()
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Limits' })
    const add = async (type: string, config: object) =>
      (
        await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
          type,
          name: type,
          config,
        })
      ).id
    const listed = async (sourceId: string) => {
      const page = await citewell.json<Page>(
        'GET',
        `/api/v1/knowledge-bases/${base.id}/documents?source_id=${sourceId}`,
      )
      return Object.fromEntries(page.data.map(({ title, left_out: leftOut }) => [title, leftOut]))
    }

    const api = await add('openapi', { url: `${site.origin}/api.json` })
    const warning = [`${OTHER_FILES} At ${site.origin}/api.json#post-pets`]
    const first = await readAll(citewell, api)
    expect(first).toMatchObject({ counts: { added: 3 }, warnings: warning })
    expect(await listed(api)).toEqual({ Pets: [], Cats: [], 'Add a pet': [OTHER_FILES] })
    // Nothing is read again, and it is told again.
    expect(await readAll(citewell, api)).toMatchObject({ counts: { unchanged: 3 }, warnings: warning })
    site.set('/api.json', descriptionOf({ properties: { owner: { type: 'string' } } }))
    expect(await readAll(citewell, api)).toMatchObject({ counts: { changed: 1 }, warnings: [] })
    expect(await listed(api)).toEqual({ Pets: [], Cats: [], 'Add a pet': [] })

    const files = await add('files', {})
    const send = async (lines: number) => {
      const body = new FormData()
      body.append('file', new File([notebookOf(lines)], 'run.ipynb'))
      const sent = await citewell.fetch(`/api/v1/sources/${files}/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OWNER_TOKEN}` },
        body,
      })
      expect(sent.ok).toBe(true)
      return await readAll(citewell, files)
    }
    expect((await send(60)).warnings).toEqual([`${CELLS} At run.ipynb`])
    const [one] = (
      await citewell.json<Page>('GET', `/api/v1/knowledge-bases/${base.id}/documents?source_id=${files}`)
    ).data
    expect(await citewell.json('GET', `/api/v1/documents/${one?.id}`)).toMatchObject({ left_out: [CELLS] })
    expect((await send(50)).warnings).toEqual([])
  },
  120_000,
)

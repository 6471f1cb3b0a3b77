import type { ListedFile } from '@citewell/contract/uploaded-files'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { OWNER_TOKEN, startTestService, type TestService } from '../../../test/start-service.ts'

interface Page {
  data: ListedFile[]
  next_cursor: string | null
}
interface Sync {
  id: string
  status: string
  counts: Record<string, number>
}

const ended = async (citewell: TestService, { id }: Sync): Promise<Sync> =>
  await citewell.until<Sync>(`/api/v1/syncs/${id}`, ({ status }) => !/queued|running/.test(status))

verifies(['documents.files'], 'a file that cannot be read is listed, and can be deleted', async () => {
  await using citewell = await startTestService()
  const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'files',
    name: 'Files',
    config: {},
  })
  const form = new FormData()
  form.append('file', new File(['no PDF'], 'broken.pdf'))
  form.append('file', new File(['Plan,Price\nTeam,12.50\n'], 'prices.csv'))
  const answer = await citewell.fetch(`/api/v1/sources/${source.id}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OWNER_TOKEN}` },
    body: form,
  })
  const uploaded = (await answer.json()) as { sync: Sync }
  expect((await ended(citewell, uploaded.sync)).status).toBe('partial')
  const documents = async () =>
    (await citewell.json<Page>('GET', `/api/v1/knowledge-bases/${base.id}/documents`)).data
  const [prices] = await documents()

  const path = `/api/v1/sources/${source.id}/files`
  const first = await citewell.json<Page>('GET', `${path}?limit=1`)
  const second = await citewell.json<Page>('GET', `${path}?limit=1&cursor=${first.next_cursor}`)
  const files = [...first.data, ...second.data]
  expect(files.map(({ name, document_id: document }) => [name, document])).toEqual([
    ['prices.csv', prices?.id],
    ['broken.pdf', null],
  ])
  expect(second.next_cursor).toBeNull()

  const [readable, broken] = files
  await citewell.json('DELETE', `/api/v1/files/${broken?.id}`)
  const again = await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
  expect(await ended(citewell, again)).toMatchObject({ status: 'succeeded', counts: { failed: 0 } })
  await citewell.json('DELETE', `/api/v1/files/${readable?.id}`)
  expect(await documents()).toEqual([])
  expect(await citewell.json<Page>('GET', path)).toEqual({ data: [], next_cursor: null })
  const gone = await citewell.fetch(`/api/v1/files/${broken?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${OWNER_TOKEN}` },
  })
  expect(gone.status).toBe(404)
})

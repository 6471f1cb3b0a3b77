import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { startTestService } from '../../../test/start-service.ts'
import { createFreeSpace } from './free-space.ts'

const EVERYTHING_MB = '1000000000'

verifies(
  'running.keep-free',
  'on a nearly full disk additions are refused with a reason, and reading, asking and deleting still work',
  async () => {
    await using citewell = await startTestService({ CITEWELL_KEEP_FREE_MB: EVERYTHING_MB })
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Docs' })
    const bases = `/api/v1/knowledge-bases/${base.id}`
    const make = async (type: string) =>
      (await citewell.json<{ id: string }>('POST', `${bases}/sources`, { type, name: type, config: {} })).id
    const [push, files] = [await make('push'), await make('files')]
    const form = new FormData()
    form.append('file', new File(['words'], 'a.md'))
    const document = { external_id: '1', url: 'https://example.com/', title: 'T', markdown: 'Words.' }

    const refused = [
      await citewell.send('PUT', `/api/v1/sources/${push}/documents`, { documents: [document] }),
      await citewell.fetch(`/api/v1/sources/${files}/files`, {
        method: 'POST',
        headers: { authorization: 'Bearer owner-token-of-the-tests' },
        body: form,
      }),
      await citewell.send('POST', `${bases}/custom-answers`, { question: 'Why?', answer: 'Therefore.' }),
    ]
    for (const response of refused) {
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('60')
      expect(await response.json()).toMatchObject({
        code: 'UNAVAILABLE',
        retryable: true,
        error: expect.stringMatching(/^The disk of the service is nearly full/),
      })
    }
    await citewell.send('POST', `/api/v1/sources/${files}/sync`)
    const { data } = await citewell.until<{ data: { status: string; error: string }[] }>(
      `/api/v1/sources/${files}/syncs`,
      (syncs) => syncs.data.every(({ status }) => !['queued', 'running'].includes(status)),
    )
    expect(data[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('nearly full') })

    expect((await citewell.send('POST', `${bases}/search`, { query: 'words' })).status).toBe(200)
    expect((await citewell.send('POST', `${bases}/chat`, { query: 'Which words?' })).status).toBe(200)
    expect((await citewell.send('DELETE', `/api/v1/sources/${push}`)).status).toBe(204)
    expect(await (await citewell.fetch('/readyz')).json()).toMatchObject({
      checks: { disk: 'degraded' },
      notices: expect.arrayContaining([expect.stringMatching(/^disk: it is nearly full/)]),
    })
    const { checks } = await citewell.json<{ checks: object[] }>('GET', '/api/v1/diagnostics')
    expect(checks).toContainEqual(expect.objectContaining({ name: 'disk', status: 'fault' }))
    expect(await (await citewell.fetch('/metrics')).text()).toMatch(/^citewell_data_free_bytes \d+$/m)
  },
  60_000,
)

test('space reserved for one write is not available to another', async () => {
  const space = createFreeSpace({
    directories: { data: import.meta.dirname, temporary: import.meta.dirname },
    keptBytes: 0,
    now: () => 0,
  })
  const { freeBytes } = await space.read('data')
  const most = await space.reserve('data', freeBytes)

  await expect(space.reserve('data', 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  most.release()
  most.release()
  const again = await space.reserve('data', freeBytes)
  await expect(space.reserve('data', 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  again.release()
})

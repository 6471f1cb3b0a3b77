import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { createAskables } from '../../../test/make-askable.ts'
import { startTestService } from '../../../test/start-service.ts'
import { openTestManagement } from '../../../test/test-management.ts'
import { newId } from '../../kernel/ids.ts'
import { createOpenAiCompatibleModel } from '../../platform/llm/openai-compatible-model.ts'
import { createSealer } from '../../platform/secrets/sealed.ts'
import { openLlm } from './language-models.ts'

const KEY = 'sk-a-key-of-the-customer-9fK2'

interface Workspace {
  id: string
  llm: Record<string, unknown> | null
}

verifies(
  ['language-models.key-not-returned', 'language-models.key-stays-home', 'language-models.merged'],
  'the API key is never shown, is forgotten when the host changes, and fields that are not sent stay',
  async () => {
    await using api = await openTestManagement()
    const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
    const path = `/workspaces/${base['workspace_id']}`
    const set = async (llm: unknown) => (await api.ask<Workspace>('PATCH', path, { llm })).llm

    expect((await api.send('PATCH', path, { llm: { model: 'm' } })).status).toBe(400)
    const first = { base_url: 'https://models.example.com/v1', model: 'm', api_key: KEY }
    const shown = { base_url: first.base_url, model: 'm', has_api_key: true, api_key_end: '9fK2' }
    expect(await set(first)).toEqual(shown)
    expect(await set({ model: 'n' })).toEqual({ ...shown, model: 'n' })
    expect((await api.send('GET', path)).body['llm']).toEqual({ ...shown, model: 'n' })
    const rows = await api.db.selectFrom('workspaces').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('a-key-of-the-customer')

    const elsewhere = await set({ base_url: 'https://other.example.com/v1' })
    expect(elsewhere).toMatchObject({ has_api_key: false, api_key_end: null, model: 'n' })
    expect(await set({ api_key: KEY })).toMatchObject({ has_api_key: true })
    expect(await set({ api_key: null })).toMatchObject({ has_api_key: false })
    expect(
      (await api.send('PATCH', path, { llm: { base_url: 'https://u:p@models.example.com' } })).status,
    ).toBe(400)
    expect(await set(null)).toBeNull()
  },
)

verifies(
  'language-models.key-sealed',
  'the sealed API key of one workspace cannot be opened in the row of another',
  () => {
    const sealer = createSealer(['k'.repeat(32)])
    const [first, second] = [newId(), newId()]
    const sealed = sealer.seal(KEY, { table: 'workspaces', row: first, column: 'llm_sealed_api_key' })
    const columns = {
      llm_base_url: 'https://models.example.com/v1',
      llm_model: 'm',
      llm_sealed_api_key: sealed,
      llm_api_key_end: '9fK2',
    }
    expect(openLlm(first, columns, sealer)?.apiKey).toBe(KEY)
    expect(() => openLlm(second, columns, sealer)).toThrow('moved from another row')
  },
)

async function askOnce(citewell: Awaited<ReturnType<typeof startTestService>>, baseId: string) {
  const response = await citewell.send('POST', `/api/v1/knowledge-bases/${baseId}/chat`, {
    query: 'When are signing keys rotated?',
  })
  const frames = (await response.text()).trim().split('\n\n')
  return JSON.parse((frames.at(-1) ?? '').replace(/^data: /, '')) as Record<string, unknown>
}

verifies(
  ['language-models.own', 'language-models.guarded'],
  'a workspace’s own model answers the next question with its key; one on a private address is not called',
  async () => {
    await using llm = await startFakeLlm(fakeLlm.says('Signing keys are rotated every day at midnight [1].'))
    for (const isAllowed of [true, false]) {
      await using citewell = await startTestService({ CITEWELL_ALLOW_PRIVATE_NETWORK: String(isAllowed) })
      const base = await citewell.json<{ id: string; workspace_id: string }>(
        'POST',
        '/api/v1/knowledge-bases',
        {
          name: 'Acme docs',
        },
      )
      const path = `/api/v1/knowledge-bases/${base.id}`
      const source = await citewell.json<{ id: string }>('POST', `${path}/sources`, {
        type: 'push',
        name: 'Docs',
        config: {},
      })
      await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
        documents: [
          {
            external_id: 'keys',
            title: 'Signing keys',
            url: 'https://docs.example.com/keys',
            markdown: 'Signing keys are rotated every day at midnight.',
          },
        ],
      })
      await citewell.until<{ document_count: number }>(path, (found) => found.document_count === 1)
      expect((await askOnce(citewell, base.id))['done']).toBe(true)
      const before = llm.requests.length

      await citewell.json('PATCH', `/api/v1/workspaces/${base.workspace_id}`, {
        llm: { base_url: llm.baseUrl, model: 'of-the-customer', api_key: KEY },
      })
      const last = await askOnce(citewell, base.id)

      const calls = llm.requests.slice(before)
      expect(last['error_code'] ?? 'answered').toBe(isAllowed ? 'answered' : 'misconfigured')
      expect(calls.map(({ body, headers }) => [body.model, headers.authorization])).toEqual(
        isAllowed ? [['of-the-customer', `Bearer ${KEY}`]] : [],
      )
    }
  },
)

test('a workspace’s model that is down is left alone between its questions, until its settings change', async () => {
  await using llm = await startFakeLlm(fakeLlm.refuses(503))
  await using api = await openTestManagement({
    surroundings: {
      createModel: (settings, deps) =>
        createOpenAiCompatibleModel(settings, { ...deps, random: () => 0, now: () => 0 }),
    },
  })
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  const page = { title: 'Signing keys', text: 'Signing keys are rotated every day at midnight.' }
  await createAskables(api.storage, api, () => api.clock.time).addPages(base['id'] ?? '', [page])
  const set = async (model: string) =>
    await api.ask('PATCH', `/workspaces/${base['workspace_id']}`, { llm: { base_url: llm.baseUrl, model } })
  const ask = async () => {
    const query = { query: 'When are signing keys rotated?' }
    await (await api.fetch('POST', `/knowledge-bases/${base['id']}/chat`, query)).text()
    return llm.requests.length
  }

  await set('one')
  // Each question is tried three times; after five failures in a row there is a pause.
  expect([await ask(), await ask(), await ask()]).toEqual([3, 5, 5])
  await set('other')
  expect(await ask()).toBe(8)
})

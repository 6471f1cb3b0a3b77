import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../../../test/fake-llm.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService } from '../../../test/start-service.ts'
import { createLog } from '../../platform/log/log.ts'

/** A log that stores its lines, at the most verbose level. */
function openLog() {
  const lines: string[] = []
  return { lines, log: createLog('trace', { write: (line) => void lines.push(line) }) }
}

const call = (name: string, input: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })

verifies(
  'traps.key-in-the-query',
  'a key in the address appears in no log, error, metric, trace, row or prompt, and other sites get no referrer with it',
  async () => {
    const { lines, log } = openLog()
    await using llm = await startFakeLlm(fakeLlm.says('Keys are rotated [1].'), fakeLlm.outOfQuota())
    await using citewell = await startTestService(
      { CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake', CITEWELL_RATE_LIMITS: 'on' },
      { log },
    )
    const base = await citewell.json<{ id: string; client_key: { key: string } }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: 'Acme API' },
    )
    const of = `/api/v1/knowledge-bases/${base.id}`
    const source = await citewell.json<{ id: string }>('POST', `${of}/sources`, { name: 'H', type: 'push' })
    const page = { external_id: 'keys', title: 'Keys', url: 'https://docs.example.com/keys' }
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [{ ...page, markdown: '# Keys\n\nKeys are rotated every 90 days.' }],
    })
    const { key } = base.client_key
    const wrong = `${key.slice(0, -4)}0000`
    const send = async (path: string, request: RequestInit = {}) =>
      await outsideRequest(`${citewell.address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: call('list_sources', {}),
        ...request,
      })
    const at = `/mcp?client_key=${key}`
    const answers = [
      await send(at),
      await send(at, { body: call('ask_question', { question: 'How are keys rotated?' }) }),
      await send(at, { body: call('ask_question', { question: 'How are keys rotated again?' }) }),
      await send(at, { body: call('feedback', { message: 'Nothing on keys.' }) }),
      await send(at, { body: call('no_such_tool', {}) }),
      await send(at, { body: '{"jsonrpc":' }),
      await send(at, { body: '[]' }),
      await send(at, { headers: { 'content-type': 'text/plain' } }),
      await send(at, {
        headers: { 'content-type': 'application/json', 'mcp-protocol-version': '1999-01-01' },
      }),
      await send(at, { method: 'GET', body: null }),
      await send(at, { method: 'DELETE' }),
      await send(at, { headers: { origin: 'https://evil.example' } }),
      await send(`/mcp?client_key=${wrong}`),
      await send(`/mcp/no-such-server?client_key=${key}`),
      await send(`/mcp/portal?client_key=${key}`),
      await send(`/nowhere?client_key=${key}`, { method: 'GET', body: null }),
    ]
    const told = await Promise.all(
      answers.map(async (answer) => `${JSON.stringify([...answer.headers])} ${await answer.text()}`),
    )
    const conversations = await citewell.json<{ data: { id: string }[] }>('GET', `${of}/conversations`)
    const seen = [
      ...lines,
      ...told,
      await (await citewell.fetch('/metrics')).text(),
      JSON.stringify(conversations),
      JSON.stringify(llm.requests.map(({ body, headers }) => [body, headers])),
      JSON.stringify(await citewell.rows('select * from threads')),
      JSON.stringify(await citewell.rows('select * from messages')),
      JSON.stringify(await citewell.rows('select * from mcp_feedback')),
      JSON.stringify(await citewell.rows('select * from activity_log')),
    ]

    expect(conversations.data).toHaveLength(1)
    expect(lines.length).toBeGreaterThan(answers.length)
    expect(seen.filter((text) => text.includes(key) || text.includes(wrong))).toEqual([])
    expect(answers.map(({ headers }) => headers.get('referrer-policy'))).toEqual(
      answers.map(() => 'no-referrer'),
    )
  },
)

test('a key in a message or stack trace of a library is redacted too', () => {
  const { lines, log } = openLog()
  log.error(
    { err: new Error('no answer from http://localhost/mcp?client_key=cw_pk_secret&a=b') },
    'it failed',
  )
  log.info({ back: '/mcp%3Fclient_key%3Dcw_pk_secret' }, 'GET /mcp?client_key=cw_pk_secret')

  expect(lines.join('')).not.toContain('cw_pk_secret')
  expect(lines[0]).toContain('client_key=…&a=b')
})

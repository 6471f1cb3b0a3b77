import { verifies } from '@citewell/spec/verifies'
import OpenAI from 'openai'
import { expect } from 'vitest'
import { openChatClient } from '../../test/chat-socket-client.ts'
import { startSlackStandIn } from '../../test/platforms/slack-stand-in.ts'
import { deliverToBot, slackMention } from '../../test/platforms/slack-world.ts'
import { startTestService } from '../../test/start-service.ts'
import { askMcp, type McpSurface } from '../../test/visibility-model/ask-mcp.ts'
import { QUESTION, startWebhookWorld } from '../../test/webhook-world.ts'

const query = 'When are signing keys rotated?'
const TEXT = 'Signing keys are rotated every day at midnight. Old signing keys stay valid for one hour.'

verifies(
  ['websocket.frames-as-the-stream', 'openai.whole-answer', 'form-deflectors.answer', 'websocket.stop'],
  'the whole service answers on every surface, keeps where each was asked, and closes its sockets when it stops',
  async () => {
    await using citewell = await startTestService()
    const { id, client_key } = await citewell.json<{ id: string; client_key: { key: string } }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: 'Acme docs' },
    )
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${id}/sources`, {
      type: 'push',
      name: 'FAQ',
      config: {},
    })
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [
        { external_id: 'keys', title: 'Keys', url: 'https://docs.example.com/keys', markdown: TEXT },
      ],
    })
    const form = await citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${id}/form-deflectors`,
      {
        name: 'Contact form',
      },
    )
    const ask = async (path: string, body: unknown) =>
      await citewell.service.fetch(
        new Request(`${citewell.address}/api/v1/public${path}`, {
          method: 'POST',
          headers: { 'x-client-key': client_key.key, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )

    using client = await openChatClient(citewell.address, id)
    await client.signIn(client_key.key)
    client.send({ type: 'chat', id: 'q1', query })
    expect(await client.end('q1')).toMatchObject({ type: 'done', covered: true })

    const openai = new OpenAI({
      apiKey: client_key.key,
      baseURL: `${citewell.address}/api/v1/public/openai`,
      maxRetries: 0,
    })
    const answer = await openai.chat.completions.create({
      model: id,
      messages: [{ role: 'user', content: query }],
    })
    expect(answer.choices[0]?.message.content).toContain('midnight')
    expect(answer.choices[0]?.message.content).toContain('](https://docs.example.com/keys')

    const deflected = await ask(`/knowledge-bases/${id}/form-deflect`, { body: query, form_id: form.id })
    const { answered, conversation_id } = (await deflected.json()) as Record<string, unknown>
    expect(answered).toBe(true)
    const told = await ask(`/knowledge-bases/${id}/form-deflect/${String(conversation_id)}/outcome`, {
      outcome: 'deflected',
    })
    expect(told.status).toBe(204)

    const surfaces = await citewell.rows('select surface from threads order by surface')
    expect(surfaces.map(({ surface }) => surface)).toEqual(['api', 'form_deflector', 'openai'])
    expect(await citewell.rows('select outcome, answered from deflections')).toEqual([
      { outcome: 'deflected', answered: true },
    ])
    const preview = await citewell.json<{ counts: Record<string, number> }>(
      'GET',
      `/api/v1/knowledge-bases/${id}/deletion-preview`,
    )
    expect(preview.counts).toMatchObject({ form_deflectors: 1, conversations: 3 })

    await citewell.service.close()
    expect((await client.closed).code).toBe(1001)
  },
)

verifies(
  ['allowance.every-surface', 'allowance.usage-by-surface'],
  'a question counts once on each surface, and at that surface; what only searches or suggests does not count',
  async () => {
    await using slack = await startSlackStandIn()
    await using world = await startWebhookWorld()
    const { citewell } = world
    const base = await world.makeBase()
    const path = `/api/v1/knowledge-bases/${base.id}`
    const ofPublic = `/api/v1/public/knowledge-bases/${base.id}`
    const { workspaces } = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
    const workspace = `/api/v1/workspaces/${workspaces[0]?.id}`
    const { data: widgets } = await citewell.json<{ data: { id: string }[] }>('GET', `${path}/widgets`)

    const asKey: Record<string, string> = { 'x-client-key': base.key }
    const asReader = async (address: string, body: object, key = asKey) => {
      const response = await citewell.fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key },
        body: JSON.stringify(body),
      })
      expect([address, response.status]).toEqual([address, 200])
      return await response.text()
    }
    const asMember = async (address: string) => {
      const response = await citewell.send('POST', address, { query: QUESTION })
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('"covered":true'),
      ])
    }
    const overMcp = async (tool: McpSurface) => {
      const asked = { address: citewell.address, key: base.key, query: QUESTION, serverName: '', pageUrl: '' }
      const response = await askMcp(tool, asked)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Rotating')])
    }

    // Over the public API: a conversation, a socket, and the form of the home page.
    const stream = await asReader(`${ofPublic}/chat`, { query: QUESTION })
    const threadId = /"thread_id":"([^"]+)"/.exec(stream)?.[1]
    await asReader(`/api/v1/public/threads/${threadId}/chat`, { query: QUESTION })
    using socket = await openChatClient(citewell.address, base.id)
    await socket.signIn(base.key)
    socket.send({ type: 'chat', id: 'q1', query: QUESTION })
    expect(await socket.end('q1')).toMatchObject({ type: 'done', covered: true })
    const page = await citewell.fetch('/')
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const asked = await citewell.fetch('/', {
      method: 'POST',
      headers: { cookie: page.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
      body: new URLSearchParams({ csrf, query: QUESTION }),
    })
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('Rotating')])

    await asReader(`${ofPublic}/chat`, { query: QUESTION, widget_id: widgets[0]?.id })
    const messages = [{ role: 'user', content: QUESTION }]
    const bearer = { authorization: `Bearer ${base.key}` }
    await asReader('/api/v1/public/openai/chat/completions', { model: base.id, messages }, bearer)
    await asReader(`${ofPublic}/form-deflect`, { body: QUESTION })
    const bot = await citewell.json<{ id: string }>('POST', `${path}/bots`, {
      name: 'Help',
      platform: 'slack',
      config: { api_url: slack.apiUrl },
      credentials: slack.credentials,
    })
    await deliverToBot(citewell, slack, bot.id, slackMention(QUESTION, { ts: '1700.1' }))
    await slack.waitForPosts(1)
    const desk = await citewell.json<{ id: string }>('POST', `${path}/helpdesk-integrations`, {
      name: 'Desk',
      platform: 'other',
    })
    const ticket = { ticket_id: '1', body: QUESTION }
    await citewell.json('POST', `/api/v1/helpdesk-integrations/${desk.id}/tickets`, ticket)
    await overMcp('mcp-ask')
    await asMember(`${path}/chat`)
    await asMember(`${workspace}/chat`)

    const usage = async () => {
      const told = await citewell.json<Record<string, unknown>>('GET', `${workspace}/usage`)
      return { questions: told['questions'], knowledge_bases: told['knowledge_bases'] }
    }
    const counted = await usage()
    expect(counted).toEqual({
      questions: 12,
      knowledge_bases: [
        {
          knowledge_base_id: base.id,
          name: 'Acme 1',
          questions: 12,
          surfaces: [
            { surface: 'api', questions: 4 },
            { surface: 'widget', questions: 1 },
            { surface: 'openai', questions: 1 },
            { surface: 'form_deflector', questions: 1 },
            { surface: 'bot', questions: 1 },
            { surface: 'helpdesk', questions: 1 },
            { surface: 'mcp', questions: 1 },
            { surface: 'team', questions: 2 },
          ],
        },
      ],
    })

    await asReader(`${ofPublic}/search`, { query: QUESTION })
    await asReader(`${ofPublic}/related`, { query: QUESTION })
    expect((await citewell.fetch(`${ofPublic}/suggested-questions`, { headers: asKey })).status).toBe(200)
    await overMcp('mcp-search')
    for (const of of [path, workspace]) {
      expect((await citewell.send('POST', `${of}/search`, { query: QUESTION })).status).toBe(200)
    }
    expect(await usage()).toEqual(counted)
  },
  { timeout: 60_000, tags: ['long'] },
)

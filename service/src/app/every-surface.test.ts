import { verifies } from '@citewell/spec/verifies'
import OpenAI from 'openai'
import { expect } from 'vitest'
import { openChatClient } from '../../test/chat-socket-client.ts'
import { startTestService } from '../../test/start-service.ts'

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

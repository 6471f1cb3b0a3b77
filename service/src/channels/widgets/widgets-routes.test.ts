import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

let team: TestManagement

beforeAll(async () => {
  team = await openTestManagement()
})
afterAll(() => team.close())

verifies(
  [
    'widgets.record',
    'widgets.with-a-base',
    'widgets.list',
    'widgets.create',
    'widgets.read',
    'widgets.change',
    'widgets.delete',
    'widgets.owned',
  ],
  'widgets are managed over the management API',
  async () => {
    const base = await team.ask<{ id: string; widget: { id: string; name: string } }>(
      'POST',
      '/knowledge-bases',
      {
        name: 'Acme docs',
      },
    )
    expect(base.widget.name).toBe('Acme docs')
    expect(await team.ask('POST', '/knowledge-bases', { name: 'Team', type: 'internal' })).toMatchObject({
      widget: null,
    })
    const made = await team.send('POST', `/knowledge-bases/${base.id}/widgets`, {
      name: 'Help centre',
      config: { accent_color: '#0b7a75', persona: 'A librarian.' },
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      knowledge_base_id: base.id,
      name: 'Help centre',
      enabled: true,
      allowed_origins: [],
      config: { accent_color: '#0b7a75', persona: 'A librarian.' },
      last_seen_at: null,
      last_seen_origin: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const path = `/widgets/${String(made.body['id'])}`
    expect((await team.send('GET', path)).body).toEqual(made.body)
    const changed = await team.send('PATCH', path, {
      enabled: false,
      config: { tone: 'Dry.', persona: null },
    })
    expect(changed.body).toMatchObject({
      enabled: false,
      name: 'Help centre',
      config: { accent_color: '#0b7a75', tone: 'Dry.', persona: null },
    })
    expect((await team.send('PATCH', path, { config: { tone: 7 } })).status).toBe(400)
    const listed = await team.send('GET', `/knowledge-bases/${base.id}/widgets`)
    expect(listed.body['data']).toMatchObject([{ id: base.widget.id }, { id: made.body['id'] }])
    const preview = await team.send('GET', `/knowledge-bases/${base.id}/deletion-preview`)
    expect(preview.body).toMatchObject({ counts: { widgets: 2 } })
    expect((await team.send('DELETE', path)).status).toBe(204)
    expect((await team.send('GET', path)).status).toBe(404)
    await team.ask('DELETE', `/knowledge-bases/${base.id}`, { confirm: 'Acme docs' })
    expect((await team.send('GET', `/widgets/${base.widget.id}`)).status).toBe(404)
  },
)

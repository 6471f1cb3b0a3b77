import { WidgetLooks } from '@citewell/contract/widget-looks'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'

interface Base {
  id: string
  client_key: { key: string }
  widget: { id: string }
}

let team: TestManagement
let base: Base

beforeAll(async () => {
  team = await openTestManagement()
  base = await team.ask<Base>('POST', '/knowledge-bases', { name: 'Acme docs' })
})
afterAll(() => team.close())

const save = (config: object) => team.send('PATCH', `/widgets/${base.widget.id}`, { config })

/** What a page with the widget gets. */
async function shown(): Promise<Record<string, unknown>> {
  const response = await team.service.fetch(
    new Request(`http://localhost/api/v1/public/widget-integrations/${base.widget.id}/config`, {
      headers: { 'x-client-key': base.client_key.key },
    }),
  )
  return ((await response.json()) as { config: Record<string, unknown> }).config
}

const LOOKS = {
  mode: 'sidebar',
  position: 'start',
  offset: '80px',
  theme: 'page',
  accent: 'oklch(0.5 0.1 190)',
  radius: '0',
  font: 'inherit',
  logo: '/logo.svg',
  z_index: 0,
  launcher: 'none',
  launcher_label: 'Ask Acme',
  launcher_icon: 'data:image/svg+xml,%3Csvg/%3E',
  default_tab: 'search',
  search: false,
  shortcut: 'mod+shift+f',
  slash: false,
  deep_link: true,
  query_param: 'q',
  allow_autosend: true,
  selection: true,
  remember: 'local',
  open_links: 'same',
  language: 'pt-BR',
  placeholder: 'Ask about Acme',
  disclaimer: 'Answers are made by a machine.',
  privacy_url: 'https://example.com/privacy',
  support_url: 'https://example.com/contact',
  support_email: 'help@example.com',
  consent: 'required',
  events: 'none',
  product_name: 'Acme',
  hide_branding: true,
  mcp_enabled: false,
  source_group_ids: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'],
}

verifies(
  'widgets.looks',
  'every look is saved and given to the page, null clears it, and unknown fields stay',
  async () => {
    expect(Object.keys(LOOKS).toSorted()).toEqual(Object.keys(WidgetLooks.shape).toSorted())
    const saved = await save({ ...LOOKS, own_note: { any: 'thing' } })

    expect([saved.status, saved.body['config']]).toEqual([200, { ...LOOKS, own_note: { any: 'thing' } }])
    expect(await shown()).toMatchObject({ ...LOOKS, own_note: { any: 'thing' } })
    expect((await save({ mode: null, own_note: null })).status).toBe(200)
    const after = await shown()
    expect(after).toMatchObject({ position: 'start', own_note: null })
    expect(after).not.toHaveProperty('mode')
  },
)

verifies(
  'widgets.looks',
  'a look that no widget could show is refused, and says what it may be',
  async () => {
    const before = await shown()
    for (const [field, wrong, message] of [
      ['mode', 'popup', 'must be one of modal, sidebar, bubble, embedded, none'],
      ['theme', '', 'must be one of auto, light, dark, page'],
      ['accent', 'red;}*{display:none', 'must be a CSS colour, such as #0b6e69'],
      ['accent', 'url(https://evil.example)', 'must be a CSS colour, such as #0b6e69'],
      ['offset', '20px 80px', 'must be a length, such as 12px'],
      ['radius', '-4px', 'must be a length, such as 12px'],
      [
        'logo',
        'javascript:alert(1)',
        'must be an http or https address, a path such as /logo.svg, or a data: image',
      ],
      [
        'logo',
        '//evil.example/a.png',
        'must be an http or https address, a path such as /logo.svg, or a data: image',
      ],
      ['z_index', 1.5, 'must be a whole number'],
      ['search', 'false', 'must be true or false'],
      [
        'shortcut',
        'k',
        'must be mod, alt and shift, in this order, and a key, such as mod+k or mod+shift+f, or none',
      ],
      ['query_param', 'a b', 'must be a name of letters, digits, - and _'],
      ['language', 'English (US)', 'must be a language tag, such as de or pt-BR'],
      ['privacy_url', 'javascript:alert(1)', 'must be an http or https address'],
      ['support_email', 'help', 'must be an e-mail address'],
      ['product_name', 'x'.repeat(101), 'must have at most 100 characters'],
    ] as const) {
      const { status, body } = await save({ [field]: wrong })
      expect([field, status, body['details']]).toEqual([field, 400, [{ path: `config.${field}`, message }]])
    }
    expect((await save({ source_group_ids: ['v2'] })).body).toMatchObject({
      details: [{ path: 'config.source_group_ids.0' }],
    })
    expect(await shown()).toEqual(before)
  },
)

import type { ActivityEntry } from '@citewell/contract/activity'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import {
  connectAsMember,
  knock,
  makeMember,
  openMemberBrowser,
  type MemberBrowser,
} from '../../../test/connect-as-member.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

interface Tool {
  id: string
  client_name: string
  url: string
  knowledge_base_ids: string[] | null
  last_used_at: string | null
}

let citewell: TestService
let portal: string
let page: string
let owner: string
let workspaceId: string
let browser: MemberBrowser
let first: string
let second: string

beforeAll(async () => {
  citewell = await startTestService()
  portal = `${citewell.address}/mcp/portal`
  page = `${citewell.address}/account/connected-tools`
  const me = await citewell.json<{ user: { id: string }; workspaces: { id: string }[] }>('GET', '/api/v1/me')
  owner = me.user.id
  workspaceId = me.workspaces[0]?.id ?? ''
  const make = async (name: string) =>
    (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name })).id
  first = await make('First base')
  second = await make('Second base')
  browser = await openMemberBrowser(citewell, owner)
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

const list = async () => (await citewell.json<{ data: Tool[] }>('GET', '/api/v1/me/connected-tools')).data
const connect = async (ticked: Record<string, readonly string[]> = { base: [first] }) => {
  const { tokens, refresh } = await connectAsMember(citewell, browser, portal, ticked)
  const tool = (await list()).at(-1)
  return { token: tokens.access_token, refresh: () => refresh(tokens.refresh_token), id: tool?.id ?? '' }
}
const statusOf = async (token: string) => (await knock(portal, token)).status
const readableWith = async (token: string) => {
  const response = await fetchTool(token)
  return await response.text()
}
const fetchTool = (token: string) =>
  citewell.fetch('/mcp/portal', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'list_knowledge_bases', arguments: {} },
    }),
  })

describe('connected tools of a member', () => {
  verifies(
    ['connected-tools.list', 'connected-tools.last-used'],
    'a member sees the tools they have connected, and only these',
    async () => {
      const { id, token } = await connect()
      const before = (await list()).find((tool) => tool.id === id)
      await knock(portal, token)
      // No request waits for this write.
      const used = await vi.waitFor(async () => {
        const seen = (await list()).find((tool) => tool.id === id)?.last_used_at
        expect(seen).not.toBeNull()
        return seen
      })
      await knock(portal, token)
      const again = (await list()).find((tool) => tool.id === id)?.last_used_at
      const shown = await browser.go(page, [])
      const other = await openMemberBrowser(citewell, await makeMember(citewell, workspaceId, 'admin'))
      const foreign = await other.go(page, [])
      const foreignTool = await other.go(`${page}/${id}`, [])

      expect(before).toMatchObject({
        client_name: 'Test tool',
        url: portal,
        knowledge_base_ids: [first],
        last_used_at: null,
      })
      expect(Date.parse(used ?? '')).toBeGreaterThan(Date.now() - 60_000)
      expect(again).toBe(used)
      expect(shown.html).toContain('Test tool')
      expect(shown.html).toContain('First base')
      expect(foreign.html).toContain('You have no connected tools.')
      expect(foreignTool.response.status).toBe(404)
    },
  )

  verifies(
    'connected-tools.revoke',
    'disconnecting a tool on the page refuses its next request',
    async () => {
      const { token, refresh, id } = await connect()
      const before = await statusOf(token)
      const shown = await browser.go(page, [])
      const section = shown.html.slice(shown.html.indexOf(`tool-${id}`))
      await browser.press({ ...shown, html: section }, 'Disconnect Test tool', [])
      const after = await statusOf(token)

      expect([before, after]).toEqual([200, 401])
      expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_grant' })
      expect((await list()).map((tool) => tool.id)).not.toContain(id)
    },
  )

  verifies(
    'connected-tools.revoke',
    "the management API disconnects the caller's own tools only",
    async () => {
      const [one, other] = [await connect(), await connect()]
      const foreign = await openMemberBrowser(citewell, await makeMember(citewell, workspaceId))
      const stranger = await foreign.request(`${page}/${one.id}/disconnect`, { method: 'POST' })
      const removed = await citewell.send('DELETE', `/api/v1/me/connected-tools/${one.id}`)
      const again = await citewell.send('DELETE', `/api/v1/me/connected-tools/${one.id}`)

      expect([stranger.status, removed.status, again.status]).toEqual([403, 204, 404])
      expect([await statusOf(one.token), await statusOf(other.token)]).toEqual([401, 200])
    },
  )

  verifies(
    'connected-tools.choose-again',
    'changing what a tool reads applies to its next request',
    async () => {
      const { token, id } = await connect({ base: [first, second] })
      const both = await readableWith(token)
      const shown = await browser.go(`${page}/${id}`, [])
      const none = await browser.press(shown, 'Save', [], { base: [] })
      const made = await browser.press(shown, 'Save', [], { base: [second] })
      const one = await readableWith(token)

      expect(both).toContain('First base')
      expect(shown.html.match(/\schecked/g)).toHaveLength(2)
      expect(none.response.status).toBe(400)
      expect(none.html).toContain('Choose at least one knowledge base.')
      expect(made.url.pathname).toBe('/account/connected-tools')
      expect(one).not.toContain('First base')
      expect(one).toContain('Second base')
    },
  )
})

verifies(
  'connected-tools.in-the-activity-log',
  'the activity log records who connected a tool, changed what it reads, and disconnected it',
  async () => {
    const adminId = await makeMember(citewell, workspaceId, 'admin')
    const admin = await openMemberBrowser(citewell, adminId)
    await connectAsMember(citewell, admin, portal, { base: [first] })
    const shown = await admin.go(page, [])
    const id = /id="tool-([^"]+)"/.exec(shown.html)?.[1] ?? ''
    await admin.press(await admin.go(`${page}/${id}`, []), 'Save', [], { base: [second] })
    await admin.press(await admin.go(page, []), 'Disconnect Test tool', [])
    const own = await connect()
    await citewell.send('DELETE', `/api/v1/me/connected-tools/${own.id}`)
    const { data: entries } = await citewell.json<{ data: ActivityEntry[] }>(
      'GET',
      `/api/v1/workspaces/${workspaceId}/activity?limit=100`,
    )
    const told = (target: string) =>
      entries
        .filter((entry) => entry.target.id === target)
        .toReversed()
        .map(({ action, actor, target: { type, name }, details }) => [
          action,
          [actor.user_id, actor.token_id === null ? 'browser' : 'token'],
          [type, name],
          details,
        ])
    const tool = [['connected_tool', 'Test tool'], { url: portal, redirect_host: '127.0.0.1:43118' }]

    expect(told(id)).toEqual([
      ['connected_tool.connected', [adminId, 'browser'], ...tool],
      ['connected_tool.changed', [adminId, 'browser'], ...tool],
      ['connected_tool.disconnected', [adminId, 'browser'], ...tool],
    ])
    expect(told(own.id)).toEqual([
      ['connected_tool.connected', [owner, 'browser'], ...tool],
      ['connected_tool.disconnected', [owner, 'token'], ...tool],
    ])
  },
)

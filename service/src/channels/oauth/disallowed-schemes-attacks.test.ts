import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import {
  beginConnecting,
  connectAsMember,
  knock,
  openMemberBrowser,
} from '../../../test/connect-as-member.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService } from '../../../test/start-service.ts'
import { openTestStorage } from '../../../test/test-storage.ts'

/** A scheme that was allowed once, and no longer is. */
const OLD = 'oldtool://callback'

verifies(
  'mcp-attacks.schemes-held-again',
  'a tool whose scheme is no longer allowed is refused, also if it is already stored',
  async () => {
    await using storage = await openTestStorage()
    const same = { CITEWELL_SECRET_KEY: 'the one key of both of these services and long' }
    const allowing = { ...same, CITEWELL_MCP_TOOL_SCHEMES: 'oldtool, other' }
    const ownerOf = async () =>
      String(
        (await storage.execute("select user_id from workspace_members where role = 'owner'")).rows[0]?.[
          'user_id'
        ],
      )
    await using before = await startTestService(allowing, { storage })
    await before.json('POST', '/api/v1/knowledge-bases', { name: 'Handbook' })
    const portal = `${before.address}/mcp/portal`
    const browser = await openMemberBrowser(before, await ownerOf())
    const begun = await beginConnecting(before, portal, { redirect: OLD })
    const shown = await browser.go(begun.url, [OLD])
    const back = await browser.press(shown, 'Connect', [OLD], { all: ['yes'] })
    const tokens = await begun.tokensFor(back.url.searchParams.get('code') ?? '')
    expect(shown.html).toContain('oldtool:')
    expect((await knock(portal, tokens.access_token)).status).toBe(200)
    const url = new URL(begun.url)
    const clientId = url.searchParams.get('client_id') ?? ''
    const kept = { authorize: url.pathname + url.search, clientId }
    await using after = await startTestService(same, { storage })
    const authorize = new URL(kept.authorize, after.address)
    authorize.searchParams.set('resource', `${after.address}/mcp/portal`)
    const refused = await outsideRequest(authorize, { redirect: 'manual' })
    const token = await outsideRequest(new URL('/token', after.address), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: kept.clientId,
        refresh_token: 'x',
      }).toString(),
    })
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
    expect([400, 401]).toContain(token.status)
  },
  120_000,
)

verifies(
  'mcp-attacks.schemes-held-again',
  'a connection whose scheme opens a browser is refused from its next request on, at any server',
  async () => {
    await using citewell = await startTestService()
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
      name: 'Handbook',
      type: 'internal',
    })
    await citewell.json('POST', `/api/v1/knowledge-bases/${base.id}/mcp-servers`, {
      server_name: 'inside',
      sign_in_type: 'internal',
    })
    const [owner] = await citewell.rows("select user_id from workspace_members where role = 'owner'")
    const statuses = []
    for (const address of [`${citewell.address}/mcp/portal`, `${citewell.address}/mcp/inside`]) {
      const browser = await openMemberBrowser(citewell, String(owner?.['user_id']))
      const { tokens } = await connectAsMember(citewell, browser, address, { all: ['yes'] })
      for (const host of ['cursor:', 'microsoft-edge:', 'googlechrome:', 'localhost:9']) {
        await citewell.rows(`update connected_tools set redirect_host = '${host}'`)
        statuses.push((await knock(address, tokens.access_token)).status)
      }
    }
    expect(statuses).toEqual([200, 401, 401, 200, 200, 401, 401, 200])
  },
  120_000,
)

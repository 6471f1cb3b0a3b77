import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestManagement, type TestManagement } from '../../../test/test-management.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { createInvitationRoutes } from './invitation-routes.ts'

let api: TestManagement
let workspaceId: string
const pages = new Hono<HttpEnv>()

beforeAll(async () => {
  api = await openTestManagement()
  const me = await api.ask<{ workspaces: { id: string }[] }>('GET', '/me')
  workspaceId = me.workspaces[0]?.id ?? ''
  createInvitationRoutes({ claim: api.invitations.claim, publicUrl: () => 'http://localhost' })(pages)
})
afterAll(() => api.close())

async function invite(email: string): Promise<string> {
  const { invitation } = await api.ask<{ invitation: { url: string } }>(
    'POST',
    `/workspaces/${workspaceId}/members`,
    {
      email,
    },
  )
  return invitation.url.replace('http://localhost', '')
}

async function press(link: string, ownToken = ''): Promise<{ status: number; page: string }> {
  const code = new URL(link, 'http://localhost').searchParams.get('code') ?? ''
  const body = new URLSearchParams({ code, access_token: ownToken })
  const response = await pages.request('/invitation', { method: 'POST', body })
  return { status: response.status, page: await response.text() }
}

test('opening the link uses nothing up; its button gives the first access token, once', async () => {
  const link = await invite('grace@example.com')
  for (let opened = 0; opened < 2; opened += 1) {
    const response = await pages.request(link)
    expect(response.status).toBe(200)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await response.text()).not.toContain('cw_pat_')
  }
  const first = await press(link)
  const token = /cw_pat_\w+/.exec(first.page)?.[0]
  expect((await api.send('GET', '/me', undefined, token)).body['user']).toMatchObject({
    email: 'grace@example.com',
  })
  const second = await press(link)
  expect(second.status).toBe(404)
  expect(second.page).not.toContain('cw_pat_')
})

test('somebody with an account is asked for a token of it, and the link goes on working until it is right', async () => {
  const other = await api.joinWorkspace()
  const { token } = await api.accessTokens.create(other, {
    name: 'own',
    scopes: ['read'],
    expiresAt: undefined,
  })
  const link = await invite(`${other.userId}@example.com`)
  const without = await press(link)
  expect(without).toMatchObject({ status: 403 })
  expect(without.page).toContain('You have an account here already')
  expect((await press(link, 'cw_pat_wrong')).status).toBe(401)
  const joined = await press(link, token)
  expect(joined.status).toBe(200)
  expect(joined.page).not.toContain('cw_pat_')
})

test('a code cannot write into the page', async () => {
  const page = await (await pages.request('/invitation?code="><script>alert(1)</script>')).text()
  expect(page).not.toContain('<script>')
})

test('a form of any size is not read', async () => {
  const body = new URLSearchParams({ code: 'x'.repeat(100_000) })
  const pieces = new ReadableStream({
    pull: (controller) => controller.enqueue(Buffer.alloc(4_096, 'x')),
  })
  const seen: unknown[] = []
  const limited = new Hono<HttpEnv>()
  createInvitationRoutes({ claim: () => Promise.reject(new Error('was read')), publicUrl: () => '' })(limited)
  limited.onError((error, context) => {
    seen.push(error)
    return context.body(null, 413)
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const whole = { method: 'POST', body, headers: { ...headers, 'content-length': '100005' } }
  const endless = { method: 'POST', body: pieces, duplex: 'half' as const, headers }

  for (const init of [whole, endless]) expect((await limited.request('/invitation', init)).status).toBe(413)
  expect(seen).toEqual([
    expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
  ])
})

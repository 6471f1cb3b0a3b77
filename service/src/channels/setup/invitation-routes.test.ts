import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { GOOD_PASSWORD, openAccountWorld, type AccountWorld } from '../../../test/account-world.ts'

let world: AccountWorld

beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const emailOf = async (token: string) => {
  const response = await outsideRequest(world.within('/api/v1/me'), {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { user?: { email: string } }).user?.email
}

test('opening the link does not use it up; its button gives one access token, once', async () => {
  const { link } = await world.invite('token-only@example.com')
  const browser = openScriptedBrowser()
  const opened = await browser.go(link, [])
  const page = await browser.go(link, [])
  const made = await browser.press(page, 'make an access token', [])
  const again = await browser.press(page, 'make an access token', [])

  expect(opened.response.headers.get('referrer-policy')).toBe('same-origin')
  expect(opened.html).not.toContain('cw_pat_')
  expect(await emailOf(/cw_pat_\w+/.exec(made.html)?.[0] ?? '')).toBe('token-only@example.com')
  expect(again.response.status).toBe(404)
  expect(again.html).not.toContain('cw_pat_')
})

test('a weak password is refused with a reason, and the link still works', async () => {
  const { link } = await world.invite('weak@example.com')
  const browser = openScriptedBrowser()
  const weak = await browser.press(await browser.go(link, []), 'Join', [], { password: 'password1234' })
  const joined = await browser.press(weak, 'Join', [], { password: GOOD_PASSWORD })

  expect(weak.response.status).toBe(400)
  expect(weak.html).toContain('easy to guess')
  expect(joined.url.pathname).toBe('/account')
})

verifies(
  'sign-in.invitation-of-known',
  'a person with an account here joins as that account, and no one else can with their link',
  async () => {
    const known = await world.join('known@example.com')
    const stranger = await world.join('stranger@example.com')
    await world.citewell.json('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${stranger.userId}`)
    const workspace = await world.secondWorkspace()
    const { link } = await world.invite('known@example.com', 'admin', workspace)
    const guest = openScriptedBrowser()
    const asked = await guest.go(link, [])
    const taken = await guest.press(asked, 'Join', [], { access_token: '', password: GOOD_PASSWORD })
    const mistyped = await guest.press(asked, 'Join', [], { access_token: 'cw_pat_wrong' })
    const joined = await known.browser.press(await known.browser.go(link, []), 'Join', [])

    expect(asked.html).toContain('You have an account here already')
    expect(asked.html).not.toContain('new-password')
    expect([taken.response.status, mistyped.response.status]).toEqual([403, 401])
    expect(joined.html).toContain('You have joined the workspace.')
    expect(
      await world.citewell.rows(
        `select role from workspace_members where user_id = '${known.userId}' and workspace_id = '${workspace}'`,
      ),
    ).toEqual([{ role: 'admin' }])
    // Neither used an access token, in a browser that was signed in or with a new password.
    expect(
      await world.citewell.rows(
        `select actor_token_id from activity_log where action = 'member.joined'
           and actor_user_id in ('${known.userId}', '${stranger.userId}')`,
      ),
    ).toEqual(Array.from({ length: 3 }, () => ({ actor_token_id: null })))
  },
)

test('a code cannot inject markup into the page', async () => {
  const response = await outsideRequest(world.within('/invitation?code="><script>alert(1)</script>'))
  expect(response.status).toBe(404)
  expect(await response.text()).not.toContain('<script>')
})

test('a form that is too large is not read', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ code: 'x'.repeat(100_000) })
  const answers = await Promise.all(
    ['/invitation', '/setup', '/sign-in', '/set-password', '/account/password', '/sign-out'].map(
      async (path) => {
        const { status } = await outsideRequest(world.within(path), { method: 'POST', headers, body })
        return status
      },
    ),
  )

  expect(answers).toEqual([413, 413, 413, 413, 413, 413])
})

import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { GOOD_PASSWORD, openAccountWorld, type AccountWorld } from '../../../test/account-world.ts'
import { connectAsMember, knock } from '../../../test/connect-as-member.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'

let world: AccountWorld
let portal: string

beforeAll(async () => {
  world = await openAccountWorld()
  portal = world.within('/mcp/portal')
  await world.citewell.json('POST', '/api/v1/knowledge-bases', { name: 'Handbook' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Browser = ReturnType<typeof openScriptedBrowser>

interface Answer {
  status: number
  body: { error?: string; code?: string; details?: unknown; token?: string }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) }
}

/** Sends a request of a page of the service in this browser. */
async function inBrowser(browser: Browser, method: string, path: string, body?: object): Promise<Answer> {
  const same = { 'sec-fetch-site': 'same-origin' }
  const me = await browser.request(world.within('/api/v1/me'), { headers: same })
  const { session } = (await me.json()) as { session?: { csrf: string } }
  return await read(
    await browser.request(world.within(path), {
      method,
      headers: { ...same, 'content-type': 'application/json', 'x-citewell-csrf': session?.csrf ?? '' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
}

const withToken = async (token: string, method: string, path: string, body?: object): Promise<Answer> =>
  await read(
    await world.citewell.fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

const deleteInBrowser = async (browser: Browser, body?: object) =>
  await inBrowser(browser, 'DELETE', '/api/v1/me', body)

async function makeToken(browser: Browser): Promise<string> {
  const made = await inBrowser(browser, 'POST', '/api/v1/access-tokens', {
    name: 'script',
    scopes: ['admin'],
  })
  return made.body.token ?? ''
}

/** Somebody who joined with an identity provider, and has no password. */
async function joinWithProvider(email: string) {
  const { link, userId } = await world.invite(email)
  world.arrivesAs({ sub: `there ${email}`, email, email_verified: true })
  const browser = openScriptedBrowser()
  await browser.press(await browser.go(link, []), 'Example ID', [])
  return { browser, userId }
}

const TABLES = [
  'browser_sessions',
  'access_tokens',
  'user_passwords',
  'outside_identities',
  'workspace_members',
]

/** The tables in which something of a person is. */
async function placesOf(userId: string): Promise<string[]> {
  const all = [...TABLES, 'knowledge_base_grants', 'invitations', 'password_links']
  const counted = await Promise.all(
    all.map(async (table) => await world.citewell.rows(`select 1 from ${table} where user_id = '${userId}'`)),
  )
  const tools = await world.citewell.rows(`select 1 from connected_tools where account_id = 'user:${userId}'`)
  return [
    ...all.filter((_, at) => counted[at]?.length !== 0),
    ...(tools.length === 0 ? [] : ['connected_tools']),
  ]
}

interface Entry {
  action: string
  actor: { name: string | null }
  target: { id: string; name: string | null }
}

async function lastEntry(workspaceId: string): Promise<Entry | undefined> {
  const path = `/api/v1/workspaces/${workspaceId}/activity?limit=1`
  return (await world.citewell.json<{ data: Entry[] }>('GET', path)).data[0]
}

verifies(
  'members.delete-own-account',
  'deleting one’s own account ends everything that one signs in or calls with, in every workspace, and the logs say it',
  async () => {
    const second = await world.secondWorkspace()
    const third = await world.secondWorkspace()
    const { browser, userId } = await world.join('leaving@example.com')
    world.arrivesAs({ sub: 'leaving-there' })
    await browser.press(await browser.go(world.within('/account'), []), 'Link Example ID', [])
    const joined = await world.invite('leaving@example.com', 'admin', second)
    await browser.press(await browser.go(joined.link, []), 'Join', [])
    const open = await world.invite('leaving@example.com', 'member', third)
    const { data } = await world.citewell.json<{ data: { id: string }[] }>('GET', '/api/v1/knowledge-bases')
    const grant = { permissions: ['config'] }
    await world.citewell.json('PUT', `/api/v1/knowledge-bases/${data[0]?.id}/grants/${userId}`, grant)
    const link = await world.citewell.json<{ url: string }>('POST', '/api/v1/password-links', {
      email: 'leaving@example.com',
    })
    const { tokens } = await connectAsMember(world.citewell, browser, portal, { all: ['yes'] })
    const token = await makeToken(browser)
    const other = await world.signIn('leaving@example.com')
    const before = await placesOf(userId)

    const deleted = await withToken(token, 'DELETE', '/api/v1/me', { password: GOOD_PASSWORD })

    expect(deleted).toEqual({ status: 204, body: {} })
    expect(before).toEqual([
      ...TABLES,
      'knowledge_base_grants',
      'invitations',
      'password_links',
      'connected_tools',
    ])
    expect(await placesOf(userId)).toEqual([])
    expect((await withToken(token, 'GET', '/api/v1/me')).status).toBe(401)
    expect((await knock(portal, tokens.access_token)).status).toBe(401)
    for (const signedIn of [browser, other.browser]) {
      expect((await inBrowser(signedIn, 'GET', '/api/v1/me')).status).toBe(401)
    }
    expect((await world.signIn('leaving@example.com')).html).toContain('The e-mail or the password is wrong.')
    expect((await openScriptedBrowser().go(link.url, [])).html).toContain('already used or has expired')
    expect((await openScriptedBrowser().go(open.link, [])).html).toContain('was withdrawn, or has expired')
    for (const [workspaceId, action] of [
      [world.workspaceId, 'member.account_deleted'],
      [second, 'member.account_deleted'],
      [third, 'member.invitation_taken_back'],
    ] as const) {
      expect(await lastEntry(workspaceId)).toMatchObject({
        action,
        actor: { name: 'leaving' },
        target: { id: userId },
      })
    }
    // Somebody who is invited again begins anew.
    const again = await world.invite('leaving@example.com')
    expect((await openScriptedBrowser().go(again.link, [])).html).toContain('name="password"')
  },
)

verifies(
  'members.delete-own-account-proof',
  'an account is deleted only with its password: an open browser or a token is not enough',
  async () => {
    const { browser, userId } = await world.join('careful@example.com')
    const token = await makeToken(browser)

    for (const attempt of [
      await deleteInBrowser(browser),
      await deleteInBrowser(browser, {}),
      await deleteInBrowser(browser, { password: null }),
      await withToken(token, 'DELETE', '/api/v1/me'),
    ]) {
      expect(attempt).toMatchObject({ status: 400, body: { details: [{ path: 'password' }] } })
    }
    for (const password of ['', 'wrong', ` ${GOOD_PASSWORD}`]) {
      const refused = { status: 403, body: { error: 'The password is wrong.' } }
      expect(await deleteInBrowser(browser, { password })).toMatchObject(refused)
    }
    expect(await placesOf(userId)).toContain('workspace_members')
    expect((await deleteInBrowser(browser, { password: GOOD_PASSWORD })).status).toBe(204)
    expect(await placesOf(userId)).toEqual([])
  },
  30_000,
)

verifies(
  'members.delete-own-account-proof',
  'guesses at the password of an account that is to be deleted are counted',
  async () => {
    const { browser, userId } = await world.join('guessed@example.com')
    const token = await makeToken(browser)
    // Ten wrong ones with a token: the eleventh attempt anywhere waits for its turn, as with the sign-in page.
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        withToken(token, 'DELETE', '/api/v1/me', { password: `guess ${at}` }),
      ),
    )
    await withToken(token, 'DELETE', '/api/v1/me', { password: 'guess 11' })
    const start = performance.now()
    expect((await withToken(token, 'DELETE', '/api/v1/me', { password: 'guess 12' })).status).toBe(403)
    expect(performance.now() - start).toBeGreaterThan(3_000)
    // The person themselves does not wait for what others did.
    expect((await deleteInBrowser(browser, { password: GOOD_PASSWORD })).status).toBe(204)
    expect(await placesOf(userId)).toEqual([])
  },
  { timeout: 30_000, tags: ['long'] },
)

verifies(
  'members.delete-own-account-proof',
  'an account without a password is deleted in a browser that was signed in within ten minutes',
  async () => {
    const { browser, userId } = await joinWithProvider('provider@example.com')
    const token = await makeToken(browser)
    const setBack = async (minutes: number) =>
      await world.citewell.rows(
        `update browser_sessions set created_at = now() - interval '${minutes} minutes' where user_id = '${userId}'`,
      )

    expect(await withToken(token, 'DELETE', '/api/v1/me', { password: '' })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('sign in again with your provider') },
    })
    await setBack(11)
    expect((await deleteInBrowser(browser)).status).toBe(403)
    expect(await placesOf(userId)).toContain('outside_identities')
    await setBack(9)
    expect((await deleteInBrowser(browser)).status).toBe(204)
    expect(await placesOf(userId)).toEqual([])
  },
)

verifies(
  'members.delete-own-account-last-owner',
  'who owns a workspace alone is told which, before anything else, and keeps everything',
  async () => {
    const { browser, userId } = await world.join('sole@example.com', 'admin')
    const alone = await world.secondWorkspace()
    await world.citewell.rows(`update workspaces set name = 'Tests & more' where id = '${alone}'`)
    await world.citewell.rows(
      `update workspace_members set user_id = '${userId}' where workspace_id = '${alone}'`,
    )
    const before = await placesOf(userId)

    const refused = await deleteInBrowser(browser)

    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        error: 'You are the only owner of “Tests & more”. Make another person an owner there first.',
      },
    })
    expect(await placesOf(userId)).toEqual(before)
  },
)

verifies(
  'members.delete-own-account-last-owner',
  'of two owners who delete their accounts at the same time one stays',
  async () => {
    const shared = await world.secondWorkspace()
    const people = [await world.join('one@example.com'), await world.join('two@example.com')]
    await world.citewell.rows(`delete from workspace_members where workspace_id = '${shared}'`)
    for (const { userId } of people) {
      await world.citewell.rows(
        `insert into workspace_members (workspace_id, user_id, role, created_at) values ('${shared}', '${userId}', 'owner', now())`,
      )
    }

    const answers = await Promise.all(
      people.map(({ browser }) => deleteInBrowser(browser, { password: GOOD_PASSWORD })),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]))
    expect(
      await world.citewell.rows(`select role from workspace_members where workspace_id = '${shared}'`),
    ).toEqual([{ role: 'owner' }])
  },
)

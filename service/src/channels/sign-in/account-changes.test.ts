import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const ACCOUNT = '/account'

/** What the log of the workspace says that was done to somebody, the first thing first. */
async function doneTo(userId: string): Promise<[string, Record<string, unknown>][]> {
  const { data } = await world.citewell.json<{
    data: { action: string; target: { id: string }; details: Record<string, unknown> }[]
  }>('GET', `/api/v1/workspaces/${world.workspaceId}/activity?limit=100`)
  return data
    .filter(({ target }) => target.id === userId)
    .map(({ action, details }): [string, Record<string, unknown>] => [action, details])
    .toReversed()
}

const open = async (browser: ReturnType<typeof openScriptedBrowser>) =>
  await browser.go(world.within(ACCOUNT), [])

/** Somebody who has joined, and has let a tool read at the portal. */
async function joinWithTool(email: string) {
  const { browser, userId } = await world.join(email)
  const { tokens } = await connectAsMember(world.citewell, browser, portal, { all: ['yes'] })
  const reads = async () => (await knock(portal, tokens.access_token)).status
  return { browser, userId, reads, tokens }
}

async function passwordLink(email: string): Promise<string> {
  return (await world.citewell.json<{ url: string }>('POST', '/api/v1/password-links', { email })).url
}

verifies(
  'sign-in.changes-logged',
  'what somebody changes about how they get in is in the log of their workspace',
  async () => {
    world.arrivesAs({ sub: 'logged-there', email: 'there@elsewhere.example', email_verified: true })
    const { browser, account, userId } = await world.join('logged@example.com')
    const linked = await browser.press(account, 'Link Example ID', [])
    const again = await browser.press(account, 'Link Example ID', [])
    const unlinked = await browser.press(again, 'Unlink', [])
    await browser.press(unlinked, 'Change password', [], {
      present: GOOD_PASSWORD,
      password: 'another staircase 81',
    })
    await world.signIn('logged@example.com', { password: 'another staircase 81' })
    await browser.press(await open(browser), 'Sign out everywhere', [])
    const entries = await doneTo(userId)

    expect(linked.html).toContain('You can sign in that way from now on.')
    expect(entries).toEqual([
      ['member.invited', { role: 'member' }],
      ['member.joined', { role: 'member' }],
      ['member.identity_linked', { issuer: world.issuer }],
      ['member.identity_unlinked', { issuer: world.issuer }],
      ['member.password_changed', {}],
      ['member.signed_out_everywhere', {}],
    ])
    expect(JSON.stringify(entries)).not.toContain('elsewhere')
  },
)

test('a provider that is linked by its e-mail, in signing in, is in the log too', async () => {
  const { link, userId } = await world.invite('by-mail@example.com')
  const guest = openScriptedBrowser()
  await guest.press(await guest.go(link, []), 'make an access token', [])
  world.arrivesAs({ sub: 'by-mail-there', email: 'By-mail@example.com', email_verified: true })
  const browser = openScriptedBrowser()
  await browser.press(await browser.go(world.within('/sign-in'), []), 'Sign in with Example ID', [])

  expect((await doneTo(userId)).map(([action]) => action)).toContain('member.identity_linked')
})

verifies(
  'sign-in.reset-disconnects',
  'a password set by a link ends the tools of its person, and nobody else’s',
  async () => {
    const own = await joinWithTool('lost@example.com')
    const other = await joinWithTool('bystander@example.com')
    const before = [await own.reads(), await other.reads()]
    const guest = openScriptedBrowser()
    const page = await guest.go(await passwordLink('lost@example.com'), [])
    const set = await guest.press(page, 'Set password', [], { password: 'another staircase 82' })
    const listed = await guest.go(world.within('/account/connected-tools'), [])
    const refreshed = await world.citewell.rows(
      `select kind from oauth_records where grant_hash not in (select grant_hash from connected_tools)`,
    )

    expect(before).toEqual([200, 200])
    expect([await own.reads(), await other.reads()]).toEqual([401, 200])
    expect(page.html).toContain('AI tools are disconnected')
    expect(set.html).toContain('AI tools disconnected')
    expect(listed.html).toContain('You have connected none.')
    expect(refreshed).toEqual([])
    expect((await doneTo(own.userId)).at(-1)).toEqual(['member.password_set', { tools_disconnected: 1 }])
  },
)

test('somebody who is removed and invited again has no tool of before', async () => {
  const { userId, reads } = await joinWithTool('returning@example.com')
  await world.citewell.json('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${userId}`)
  await world.join('returning@example.com')

  expect(await reads()).toBe(401)
})

test('signing out everywhere, and a new password, say that AI tools stay, and where they are', async () => {
  const LINK = '<a href="/account/connected-tools">look at them</a>'
  const { browser, reads } = await joinWithTool('staying@example.com')
  await world.signIn('staying@example.com')
  const account = await open(browser)
  const changed = await browser.press(account, 'Change password', [], {
    present: GOOD_PASSWORD,
    password: 'another staircase 83',
  })
  await world.signIn('staying@example.com', { password: 'another staircase 83' })
  const signedOut = await browser.press(await open(browser), 'Sign out everywhere', [])

  expect(account.html.split(LINK)).toHaveLength(3)
  expect(/role="status">([\s\S]*?)<\/p>/.exec(changed.html)?.[1]).toContain(LINK)
  expect(signedOut.url.pathname).toBe('/sign-in')
  expect(/role="status">([\s\S]*?)<\/p>/.exec(signedOut.html)?.[1]).toContain(LINK)
  expect(await reads()).toBe(200)
})

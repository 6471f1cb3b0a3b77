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

/** The entries of the audit log about a user, oldest first. */
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

/** A member who joined and allowed an AI tool to read the portal. */
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
  'changes to how a member signs in are in the audit log of their workspace',
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

    expect(linked.html).toContain('You can now sign in with it.')
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

test('a member changes the name that others see, and only a text of up to 100 characters is one', async () => {
  const { browser, account, userId } = await world.join('named@example.com')
  const shownTo = async () => {
    const { data } = await world.citewell.json<{ data: { user_id: string; name: string }[] }>(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/members?limit=100`,
    )
    return data.find(({ user_id: id }) => id === userId)?.name
  }
  const before = await shownTo()
  for (const name of ['', '  ', '\u200B', 'a'.repeat(101)]) {
    const refused = await browser.press(account, 'Change name', [], { name })
    expect(refused.response.status).toBe(400)
    expect(refused.html).toMatch(/role="alert">Your name must (?:not be empty|have at most 100 characters)\./)
  }
  expect(await shownTo()).toBe(before)

  const changed = await browser.press(account, 'Change name', [], {
    name: ' Ada\u200B <Countess>\n"Lovelace" ',
  })
  expect(changed.html).toContain('Your name is changed.')
  expect(changed.html).toContain('value="Ada &lt;Countess&gt; &quot;Lovelace&quot;"')
  expect(await shownTo()).toBe('Ada <Countess> "Lovelace"')
  await browser.press(changed, 'Change name', [], { name: 'Ada <Countess> "Lovelace"' })
  const named = (await doneTo(userId)).filter(([action]) => action === 'member.name_changed')
  expect(named).toEqual([['member.name_changed', {}]])

  // From a page that was opened before its session ended.
  const elsewhere = await world.signIn('named@example.com')
  await elsewhere.browser.press(await open(elsewhere.browser), 'Sign out everywhere', [])
  const late = await browser.press(account, 'Change name', [], { name: 'Too late' })
  expect(late.url.pathname).toBe('/sign-in')
  expect(await shownTo()).toBe('Ada <Countess> "Lovelace"')
})

test('a provider that is linked by e-mail at sign-in is logged too', async () => {
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
  'setting a password by a link disconnects the AI tools of that member only',
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
    expect(listed.html).toContain('You have no connected tools.')
    expect(refreshed).toEqual([])
    expect((await doneTo(own.userId)).at(-1)).toEqual([
      'member.password_set',
      { tools_disconnected: 1, tokens_revoked: 0 },
    ])
  },
)

test('a member who is removed and invited again has none of their earlier AI tools', async () => {
  const { userId, reads } = await joinWithTool('returning@example.com')
  await world.citewell.json('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${userId}`)
  await world.join('returning@example.com')

  expect(await reads()).toBe(401)
})

test(
  'the pages after signing out everywhere and after a password change say that AI tools stay connected, and link to them',
  { tags: ['long'] },
  async () => {
    const LINK = '<a href="/account/connected-tools">see connected tools</a>'
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
  },
)

/** The caller of a management request with this token. */
const meBy = async (token: string) =>
  (await world.citewell.fetch('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status

async function makeToken(token: string): Promise<{ status: number; token: string }> {
  const response = await world.citewell.fetch('/api/v1/access-tokens', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'more', scopes: ['admin'] }),
  })
  const body = (await response.json()) as { token?: string }
  return { status: response.status, token: body.token ?? '' }
}

/** The token that is shown to anyone who opens the link of an invitation. */
async function takenFrom(link: string): Promise<string> {
  const guest = openScriptedBrowser()
  const { html } = await guest.press(await guest.go(link, []), 'make an access token', [])
  return /cw_pat_[\w-]+/.exec(html)?.[0] ?? ''
}

verifies(
  'access-tokens.ended-by-recovery',
  'a password set by a link revokes the token that the inviter took, the tokens made with it, and those being made',
  async () => {
    const { link } = await world.invite('bob@example.com')
    const stolen = await takenFrom(link)
    const more = await makeToken(stolen)
    const recovery = await passwordLink('bob@example.com')
    // Whoever holds the account keeps making tokens while it is recovered.
    const over = new AbortController()
    const made = [stolen, more.token]
    const racing = (async () => {
      while (!over.signal.aborted) {
        const next = await makeToken(made.at(-1) ?? '')
        if (next.status === 201) made.push(next.token)
      }
    })()
    const guest = openScriptedBrowser()
    const page = await guest.go(recovery, [])
    await guest.press(page, 'Set password', [], { password: 'another staircase 84' })
    over.abort()
    await racing

    expect(more.status).toBe(201)
    expect(made.length).toBeGreaterThan(2)
    expect(new Set(await Promise.all(made.map(meBy)))).toEqual(new Set([401]))
  },
)

verifies(
  'access-tokens.ended-by-recovery',
  'an owner who sets a password by a link keeps only the tokens made on the machine',
  async () => {
    await world.citewell.rows(`update users set email = 'first@example.com' where email = 'owner@localhost'`)
    const { token } = await makeToken('owner-token-of-the-tests')
    const guest = openScriptedBrowser()
    const page = await guest.go(await passwordLink('first@example.com'), [])
    await guest.press(page, 'Set password', [], { password: 'another staircase 85' })

    expect([await meBy(token), await meBy('owner-token-of-the-tests')]).toEqual([401, 200])
    expect(await meBy(world.citewell.service.operatorToken)).toBe(200)
  },
)

verifies(
  'access-tokens.signed-out-everywhere',
  'changing the password and signing out everywhere keep access tokens, and revoke them if that box is ticked',
  async () => {
    const { link } = await world.invite('ticking@example.com')
    const first = await takenFrom(link)
    const guest = openScriptedBrowser()
    const page = await guest.go(await passwordLink('ticking@example.com'), [])
    const account = await guest.press(page, 'Set password', [], { password: GOOD_PASSWORD })
    const tokenOf = async () => {
      const { token } = await makeToken('owner-token-of-the-tests')
      await world.citewell.rows(
        `update access_tokens set user_id = (select id from users where email = 'ticking@example.com')
          where token_start = '${token.slice(0, 11)}'`,
      )
      return token
    }
    const [one, other] = [await tokenOf(), await tokenOf()]
    const shown = await open(guest)
    const kept = await guest.press(shown, 'Change password', [], {
      present: GOOD_PASSWORD,
      password: 'another staircase 86',
    })
    const afterKept = [await meBy(one), await meBy(other)]
    await guest.press(kept, 'Change password', [], {
      present: 'another staircase 86',
      password: 'another staircase 87',
      tokens: 'revoke',
    })
    const afterTicked = [await meBy(one), await meBy(other)]
    const [asking, third] = [await tokenOf(), await tokenOf()]
    const everywhere = async (query: string) =>
      (
        await world.citewell.fetch(`/api/v1/me/sessions${query}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${asking}` },
        })
      ).status
    const answers = [await everywhere(''), await meBy(third), await everywhere('?also=access_tokens')]

    expect(await meBy(first)).toBe(401)
    expect(account.html).not.toContain('access tokens</a>')
    expect(shown.html).toContain('my 2 access tokens')
    expect(afterKept).toEqual([200, 200])
    expect(afterTicked).toEqual([401, 401])
    expect(answers).toEqual([204, 200, 204])
    expect([await meBy(asking), await meBy(third)]).toEqual([200, 401])
  },
)

import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { createPasswordHasher } from '../../accounts/passwords/passwords.ts'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { GOOD_PASSWORD, openAccountWorld, type AccountWorld } from '../../../test/account-world.ts'

let world: AccountWorld

beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Browser = ReturnType<typeof openScriptedBrowser>

const account = async (browser: Browser) => await browser.go(world.within('/account'), [])
const isSignedIn = async (browser: Browser) => (await account(browser)).url.pathname === '/account'
const sessionOf = (browser: Browser) =>
  browser.cookies.find(({ name }) => name.endsWith('citewell_session'))?.value ?? ''

/** Goes to the provider from a page, and comes back as this person. */
async function through(browser: Browser, from: Awaited<ReturnType<Browser['go']>>, button: string) {
  return await browser.press(from, button, [])
}

verifies(
  'sign-in.password',
  'a member signs in with the password chosen when joining, and is redirected to the page asked for',
  async () => {
    const { account: joined } = await world.join('grace@example.com')
    const again = await world.signIn(' Grace@Example.com', { to: '/account?x=1&y=2' })

    expect(joined.url.pathname).toBe('/account')
    expect(joined.html).toContain('You have joined the workspace.')
    expect(joined.html).toContain('grace@example.com')
    expect(again.url.pathname + again.url.search).toBe('/account?x=1&y=2')
    expect(again.html).toContain('2 browsers are signed in to your account')
  },
)

verifies(
  ['sign-in.cookie', 'sign-in.argon2id'],
  'neither the session nor the password can be taken from the database',
  async () => {
    const { browser, userId } = await world.join('stored@example.com')
    const set = (await world.signIn('stored@example.com')).browser
    const [row] = await world.citewell.rows(
      `select token_hash, hash from browser_sessions join user_passwords using (user_id) where user_id = '${userId}'`,
    )
    const dump = JSON.stringify(
      await world.citewell.rows(`select * from browser_sessions natural join user_passwords`),
    )
    const stolen = await outsideRequest(world.within('/account'), {
      redirect: 'manual',
      headers: { cookie: `citewell_session=${String(row?.['token_hash'])}` },
    })

    expect(Buffer.from(sessionOf(browser), 'base64url')).toHaveLength(32)
    expect(dump).not.toContain(sessionOf(browser))
    expect(dump).not.toContain(sessionOf(set))
    expect(row?.['hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(stolen.status).toBe(303)
  },
)

verifies(
  'sign-in.argon2id',
  'a stored hash of a lower cost is replaced by one of the current cost when its user signs in',
  async () => {
    const { userId } = await world.join('cheap@example.com')
    const of = `user_passwords where user_id = '${userId}'`
    const cheap = await createPasswordHasher({ memory: 64, passes: 1, parallelism: 1 }).hash(GOOD_PASSWORD)
    await world.citewell.rows(`update user_passwords set hash = '${cheap}' where user_id = '${userId}'`)
    const { browser } = await world.signIn('cheap@example.com')

    expect(await isSignedIn(browser)).toBe(true)
    expect(await world.citewell.rows(`select hash from ${of}`)).toEqual([
      { hash: expect.stringContaining('$m=19456,t=2,p=1$') },
    ])
  },
)

verifies('sign-in.rotated', 'signing in replaces a session cookie that somebody else planted', async () => {
  await world.join('fixed@example.com')
  const browser = openScriptedBrowser()
  const page = await browser.go(world.within('/sign-in'), [])
  const typed = { email: 'fixed@example.com', password: GOOD_PASSWORD }
  await browser.press(page, 'Sign in', [], typed)
  const before = sessionOf(browser)
  await browser.press(page, 'Sign in', [], typed)
  const planted = await outsideRequest(world.within('/account'), {
    redirect: 'manual',
    headers: { cookie: `citewell_session=${before}` },
  })

  expect(before).not.toBe('')
  expect(sessionOf(browser)).not.toBe(before)
  expect(await isSignedIn(browser)).toBe(true)
  expect(planted.status).toBe(303)
})

verifies(
  'sign-in.expiry',
  'a session expires after 12 hours without requests, and after 30 days in any case',
  async () => {
    const age = async (column: string, interval: string, userId: string) =>
      await world.citewell.rows(
        `update browser_sessions set ${column} = now() - interval '${interval}' where user_id = '${userId}' returning id`,
      )
    const idle = await world.join('idle@example.com')
    const old = await world.join('old@example.com')
    const answersOf = async (): Promise<number[]> =>
      await Promise.all(
        [idle, old].map(async ({ browser: { cookies } }) => {
          const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
          return (await world.citewell.fetch('/api/v1/me', { headers: { cookie } })).status
        }),
      )
    await age('last_seen_at', '11 hours 59 minutes', idle.userId)
    await age('created_at', '29 days 23 hours', old.userId)
    expect(await answersOf()).toEqual([200, 200])
    const inTime = [await isSignedIn(idle.browser), await isSignedIn(old.browser)]
    // No request waits for this write.
    await vi.waitFor(async () =>
      expect(
        await world.citewell.rows(
          `select 1 from browser_sessions where user_id = '${idle.userId}' and last_seen_at > now() - interval '1 hour'`,
        ),
      ).toHaveLength(1),
    )
    await age('last_seen_at', '12 hours 1 minute', idle.userId)
    await age('created_at', '30 days 1 minute', old.userId)
    expect(await answersOf()).toEqual([401, 401])
    const tooLate = [await isSignedIn(idle.browser), await isSignedIn(old.browser)]

    expect(inTime).toEqual([true, true])
    expect(tooLate).toEqual([false, false])
  },
)

describe('sessions end immediately', () => {
  verifies(
    'sign-in.ended-at-once',
    'signing out, here or everywhere, and losing the last workspace end the session',
    async () => {
      const email = 'leaving@example.com'
      const { browser: first, userId } = await world.join(email)
      const { browser: second } = await world.signIn(email)
      const { browser: third } = await world.signIn(email)
      await second.press(await account(second), 'Sign out', [])
      const afterOne = [await isSignedIn(first), await isSignedIn(second), await isSignedIn(third)]
      await first.press(await account(first), 'Sign out everywhere', [])
      const afterAllOfThem = [await isSignedIn(first), await isSignedIn(third)]
      const { browser: fourth } = await world.signIn(email)
      await world.citewell.json('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${userId}`)
      const removed = [await isSignedIn(fourth), await isSignedIn((await world.signIn(email)).browser)]

      expect(afterOne).toEqual([true, false, true])
      expect(afterAllOfThem).toEqual([false, false])
      expect(removed).toEqual([false, false])
    },
  )

  test('setting a password by a link revokes the access token of the invitation', async () => {
    const { link } = await world.invite('by-api@example.com')
    const guest = openScriptedBrowser()
    const made = await guest.press(await guest.go(link, []), 'make an access token', [])
    const token = /cw_pat_\w+/.exec(made.html)?.[0] ?? ''
    const { url } = await world.citewell.json<{ url: string }>('POST', '/api/v1/password-links', {
      email: 'by-api@example.com',
    })
    await guest.press(await guest.go(url, []), 'Set password', [], { password: GOOD_PASSWORD })
    const before = await isSignedIn(guest)
    const ended = await outsideRequest(world.within('/api/v1/me/sessions'), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })

    expect([before, ended.status, await isSignedIn(guest)]).toEqual([true, 401, true])
  })
})

verifies(
  'sign-in.password-change',
  'changing the password requires the current one, and ends all other sessions',
  async () => {
    const email = 'changing@example.com'
    const { browser: own } = await world.join(email)
    const { browser: other } = await world.signIn(email)
    const before = sessionOf(own)
    const typed = { present: 'not this one', password: 'another staircase 77' }
    const wrong = await own.press(await account(own), 'Change password', [], typed)
    const right = { ...typed, present: GOOD_PASSWORD }
    const changed = await own.press(await account(own), 'Change password', [], right)

    expect(wrong.response.status).toBe(403)
    expect(changed.html).toContain('Your password is set.')
    expect(sessionOf(own)).not.toBe(before)
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false])
    expect((await world.signIn(email)).response.status).toBe(401)
    expect((await world.signIn(email, { password: right.password })).url.pathname).toBe('/account')
  },
)

verifies(
  'sign-in.password-link',
  'a link made by the operator sets a password once, within a day, and ends all sessions',
  async () => {
    const email = 'forgetful@example.com'
    const { browser: before, userId } = await world.join(email)
    const makeLink = async () =>
      await world.citewell.json<{ url: string; expires_at: string }>('POST', '/api/v1/password-links', {
        email,
      })
    const make = async () => (await makeLink()).url
    const [older, link] = [await make(), await make()]
    const guest = openScriptedBrowser()
    const replaced = await guest.go(older, [])
    const page = await guest.go(link, [])
    const set = await guest.press(page, 'Set password', [], { password: 'another staircase 78' })
    const again = await openScriptedBrowser().go(link, [])
    const lastMade = await makeLink()
    const hours = (Date.parse(lastMade.expires_at) - Date.now()) / 3_600_000
    await world.citewell.rows(`update password_links set expires_at = now() where user_id = '${userId}'`)
    const expired = await openScriptedBrowser().go(lastMade.url, [])
    const { data } = await world.citewell.json<{ data: { action: string }[] }>(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/activity?limit=20`,
    )
    const unknown = await world.citewell.send('POST', '/api/v1/password-links', {
      email: 'nobody@example.com',
    })

    const refused = [replaced.response, again.response, expired.response, unknown]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(Math.round(hours)).toBe(24)
    expect(set.html).toContain(email)
    expect([await isSignedIn(before), await isSignedIn(guest)]).toEqual([false, true])
    expect(data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.password_link_made', 'member.password_set']),
    )
  },
)

describe('with an identity provider', () => {
  verifies('sign-in.provider', 'a person joins, signs in, links and unlinks with a provider', async () => {
    world.arrivesAs({ sub: 'ada-there', email: 'ada@elsewhere.example', email_verified: true })
    const { link } = await world.invite('ada@example.com')
    const browser = openScriptedBrowser()
    const joined = await through(browser, await browser.go(link, []), 'Join with Example ID')
    const other = openScriptedBrowser()
    const signIn = await other.go(world.within('/sign-in?to=/account?back=1'), [])
    const signedIn = await through(other, signIn, 'Sign in with Example ID')
    const lastWay = await other.press(signedIn, 'Set password', [], { password: GOOD_PASSWORD })
    const unlinked = await other.press(lastWay, 'Unlink', [])
    const linked = await through(other, unlinked, 'Link Example ID')

    expect(joined.html).toContain('ada@example.com')
    expect(signedIn.url.search).toBe('?back=1')
    expect(signedIn.html).toContain('Your only way to sign in')
    expect(unlinked.html).toContain('The account is unlinked.')
    expect(linked.html).toContain('You can now sign in with it.')
  })

  verifies(
    'sign-in.linking',
    'an e-mail address links an account only if it is verified and the account has no other way to sign in',
    async () => {
      const arrive = async (sub: string, email: string, isVerified: boolean) => {
        world.arrivesAs({ sub, email, email_verified: isVerified })
        const browser = openScriptedBrowser()
        return await through(
          browser,
          await browser.go(world.within('/sign-in'), []),
          'Sign in with Example ID',
        )
      }
      await world.join('used@example.com')
      const { link } = await world.invite('fresh@example.com')
      const beforeJoining = await arrive('fresh-there', 'fresh@example.com', true)
      const guest = openScriptedBrowser()
      await guest.press(await guest.go(link, []), 'make an access token', [])
      const unverified = await arrive('fresh-there', 'fresh@example.com', false)
      const taken = await arrive('thief', 'used@example.com', true)
      const unknown = await arrive('stranger', 'stranger@example.com', true)
      const fresh = await arrive('fresh-there', 'Fresh@example.com', true)
      const second = await arrive('another-there', 'fresh@example.com', true)

      const refused = [beforeJoining, unverified, taken, unknown, second]
      expect(refused.map(({ response }) => response.status)).toEqual([403, 403, 403, 403, 403])
      expect(unverified.html).toContain('Accounts are created by invitation')
      expect(taken.html).toContain('Sign in to it as before')
      expect(fresh.url.pathname).toBe('/account')
    },
  )

  test('an identifier that cannot be stored signs nobody in, and such an e-mail address is none', async () => {
    const { link } = await world.invite('hostile@example.com')
    const guest = openScriptedBrowser()
    await guest.press(await guest.go(link, []), 'make an access token', [])
    const statuses: number[] = []
    for (const person of [
      { sub: 'a\0b' },
      { sub: 'x'.repeat(256) },
      { sub: '\uD800' },
      { sub: 'hostile-there', email: 'hostile@example.com\0' },
      { sub: 'hostile-there', email: `hostile@example.com${' '.repeat(400)}` },
    ]) {
      world.arrivesAs({ email: 'hostile@example.com', email_verified: true, ...person })
      const browser = openScriptedBrowser()
      const page = await browser.go(world.within('/sign-in'), [])
      statuses.push((await through(browser, page, 'Sign in with Example ID')).response.status)
    }
    expect(statuses).toEqual([400, 400, 400, 403, 403])
  })

  test('an account at the provider belongs to one account here', async () => {
    world.arrivesAs({ sub: 'shared-there', email: 'x@elsewhere.example', email_verified: true })
    const first = await world.join('first-of-two@example.com')
    const second = await world.join('second-of-two@example.com')
    await through(first.browser, first.account, 'Link Example ID')
    const refused = await through(second.browser, second.account, 'Link Example ID')

    expect(refused.response.status).toBe(409)
  })

  test('two tabs of one browser sign in with a provider at the same time, each to the page that it came from', async () => {
    world.arrivesAs({ sub: 'tabs-there', email: 'tabs@elsewhere.example', email_verified: true })
    const { browser, account } = await world.join('tabs@example.com')
    await through(browser, account, 'Link Example ID')
    const tabs = openScriptedBrowser()
    const beginIn = async (to: string) =>
      await tabs.press(
        await tabs.go(world.within(`/sign-in?to=${encodeURIComponent(to)}`), []),
        'Sign in with Example ID',
        [`${world.issuer}/authorize`],
      )
    const [first, second] = [await beginIn('/account?tab=1'), await beginIn('/account?tab=2')]
    const back = [await tabs.go(first.url, []), await tabs.go(second.url, [])]

    expect(back.map(({ url, response }) => [response.status, url.search])).toEqual([
      [200, '?tab=1'],
      [200, '?tab=2'],
    ])
    expect(tabs.cookies.filter(({ name }) => name.includes('citewell_login'))).toEqual([])
  })

  verifies(
    'sign-in.provider-login-csrf',
    'a callback is refused in a browser that did not start it, and when it is repeated',
    async () => {
      const attacker = openScriptedBrowser()
      const begun = await attacker.press(
        await attacker.go(world.within('/sign-in'), []),
        'Sign in with Example ID',
        [`${world.issuer}/authorize`],
      )
      const there = await attacker.request(begun.url)
      const answer = new URL(there.headers.get('location') ?? '')
      const victim = openScriptedBrowser()
      const forged = await victim.request(answer)
      const otherState = new URL(answer)
      otherState.searchParams.set('state', 'x')
      const mixed = await attacker.request(otherState)
      world.arrivesAs({ sub: 'nobody-here' })
      const used = await attacker.request(answer)
      const usedUp = await attacker.request(answer)

      // The provider's own account is known to nobody here, and says so only once.
      expect([forged.status, mixed.status, used.status, usedUp.status]).toEqual([400, 400, 403, 400])
      expect(victim.cookies.some(({ name }) => name.endsWith('citewell_session'))).toBe(false)
    },
  )
})

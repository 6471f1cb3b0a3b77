import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { GOOD_PASSWORD, openAccountWorld, type AccountWorld } from '../../../test/account-world.ts'

let world: AccountWorld

beforeAll(async () => {
  world = await openAccountWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Browser = ReturnType<typeof openScriptedBrowser>

const csrfOn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
const FORM = 'application/x-www-form-urlencoded'

/** A request that another site makes a signed-in browser send, or that our pages never send. */
interface Forged {
  how: string
  method?: string
  headers?: Record<string, string>
  body?: (fields: Record<string, string>) => string | FormData
  /** Value of the field `csrf`; the valid token if absent. */
  csrf?: (tokens: { own: string; ofSomebodyElse: string; ofGuest: string }) => string | undefined
}

const multipart = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const FORGED: readonly Forged[] = [
  { how: 'a form of another site', headers: { origin: 'https://evil.example' } },
  { how: 'a form of a sandboxed frame', headers: { origin: 'null' } },
  { how: 'the same host over another port', headers: { origin: 'http://127.0.0.1:1' } },
  { how: 'cross-site, without an origin', headers: { 'sec-fetch-site': 'cross-site' } },
  { how: 'a neighbouring host', headers: { 'sec-fetch-site': 'same-site' } },
  { how: 'no token', csrf: () => undefined },
  { how: 'an empty token', csrf: () => '' },
  { how: 'a token of somebody else', csrf: ({ ofSomebodyElse }) => ofSomebodyElse },
  { how: 'a token of a guest', csrf: ({ ofGuest }) => ofGuest },
  { how: 'plain text', headers: { 'content-type': 'text/plain' } },
  { how: 'JSON', headers: { 'content-type': 'application/json' }, body: (fields) => JSON.stringify(fields) },
  { how: 'a multipart form of another site', headers: { origin: 'https://evil.example' }, body: multipart },
  { how: 'a picture', method: 'GET' },
  { how: 'HEAD', method: 'HEAD' },
  { how: 'PUT', method: 'PUT' },
  { how: 'a method in a header', method: 'GET', headers: { 'x-http-method-override': 'POST' } },
  { how: 'a method in a field', method: 'GET', csrf: ({ own }) => `${own}&_method=POST` },
]

const TARGETS: readonly [string, Record<string, string>][] = [
  ['/account/name', { name: 'Chosen by somebody else' }],
  ['/account/password', { present: GOOD_PASSWORD, password: 'chosen by somebody else' }],
  ['/account/unlink', { issuer: 'set in the test' }],
  ['/account/sign-out-everywhere', {}],
  ['/sign-out', {}],
]

async function send(browser: Browser, path: string, forged: Forged, fields: Record<string, string>) {
  const { method = 'POST', headers, body = (all) => new URLSearchParams(all).toString() } = forged
  const query = method === 'GET' || method === 'HEAD' ? `?${new URLSearchParams(fields).toString()}` : ''
  const sent = query === '' ? body(fields) : undefined
  const type = sent instanceof FormData || query !== '' ? {} : { 'content-type': FORM }
  const { status } = await browser.request(world.within(path + query), {
    method,
    headers: { ...type, ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  return status
}

verifies('sign-in.no-foreign-change', 'requests forged by another site change nothing', async () => {
  world.arrivesAs({ sub: 'victim-there', email: 'v@elsewhere.example', email_verified: true })
  const victim = await world.join('victim@example.com')
  const linked = await victim.browser.press(victim.account, 'Link Example ID', [])
  const attacker = await world.join('attacker@example.com')
  const guest = await openScriptedBrowser().go(world.within('/sign-in'), [])
  const tokens = {
    own: csrfOn(linked.html),
    ofSomebodyElse: csrfOn(attacker.account.html),
    ofGuest: csrfOn(guest.html),
  }
  const state = async () =>
    JSON.stringify(
      await Promise.all(
        [
          `select id, user_id from browser_sessions order by id`,
          `select user_id, hash from user_passwords order by user_id`,
          `select issuer, subject, user_id from outside_identities order by subject`,
          `select id, name from users order by id`,
        ].map((statement) => world.citewell.rows(statement)),
      ),
    )
  const before = await state()
  const changed: string[] = []
  let tried = 0
  for (const [path, given] of TARGETS) {
    for (const forged of FORGED) {
      const csrf = forged.csrf === undefined ? tokens.own : forged.csrf(tokens)
      const fields = { ...given, ...(path.endsWith('unlink') && { issuer: world.issuer }) }
      await send(victim.browser, path, forged, { ...fields, ...(csrf !== undefined && { csrf }) })
      tried += 1
      if ((await state()) !== before) changed.push(`${path}: ${forged.how}`)
    }
  }
  // Control: the same form, sent as our page sends it, works. So the requests above were refused for their origin.
  const own = { headers: { origin: world.address, 'sec-fetch-site': 'same-origin' }, how: 'own' }
  await send(victim.browser, '/account/unlink', own, { csrf: tokens.own, issuer: world.issuer })

  expect(tried).toBeGreaterThanOrEqual(30)
  expect(changed).toEqual([])
  expect(await state()).not.toBe(before)
})

test('another site cannot sign a browser in, send it to a provider, or use its invitation', async () => {
  await world.join('chosen@example.com')
  const { link } = await world.invite('invited@example.com')
  const code = new URL(link).searchParams.get('code') ?? ''
  const typed = { email: 'chosen@example.com', password: GOOD_PASSWORD, provider: 'oidc', code, to: '/' }
  const answers: number[] = []
  for (const path of ['/sign-in', '/sign-in/with', '/invitation']) {
    const browser = openScriptedBrowser()
    const csrf = csrfOn((await browser.go(world.within('/sign-in'), [])).html)
    for (const forged of FORGED.slice(0, 7)) {
      answers.push(await send(browser, path, forged, forged.csrf === undefined ? { ...typed, csrf } : typed))
    }
    // A valid token of another browser.
    answers.push(await send(openScriptedBrowser(), path, { how: 'no cookie' }, { ...typed, csrf }))
    expect(browser.cookies.map(({ name }) => name)).toEqual(['citewell_form'])
  }
  expect(new Set(answers)).toEqual(new Set([403]))
  expect(await world.citewell.rows(`select role from invitations where code_hash is not null`)).toHaveLength(
    1,
  )
})

verifies('sign-in.own-way-back', 'signing in never redirects to another site', async () => {
  await world.join('wayfarer@example.com')
  const tricks = ['https://evil.example', '//evil.example', String.raw`/\evil.example`, '/..//evil.example']
  const ends: string[] = []
  for (const to of tricks) {
    const { browser, url } = await world.signIn('wayfarer@example.com', { to })
    const again = await browser.request(world.within(`/sign-in?to=${encodeURIComponent(to)}`))
    ends.push(url.href, new URL(again.headers.get('location') ?? '', world.address).href)
  }
  expect(new Set(ends)).toEqual(new Set([world.within('/account')]))
})

/** What a browser gets that tries a wrong password, and how long that takes. */
async function tryPassword(email: string, round: number) {
  const browser = openScriptedBrowser()
  const page = await browser.go(world.within('/sign-in'), [])
  const begun = performance.now()
  const given = { email, password: 'not it' }
  const { response, html } = await browser.press(page, 'Sign in', [], given, `198.51.100.${round}`)
  const ms = performance.now() - begun
  const said = html.replaceAll(/value="[^"]*"/g, '')
  return { ms, answer: { status: response.status, headers: [...response.headers.keys()], said } }
}

verifies('sign-in.no-enumeration', 'an unknown e-mail gets the same answer as a wrong password', async () => {
  await world.join('known@example.com')
  const known = await tryPassword('known@example.com', 1)
  const unknown = await tryPassword('nobody@example.com', 1)
  expect(known.answer.status).toBe(401)
  expect(unknown.answer).toEqual(known.answer)
})

verifies(
  'sign-in.no-enumeration',
  'it takes the same time, too',
  async () => {
    await world.join('timed@example.com')
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 10; round < 17; round += 1) {
      known.push((await tryPassword('timed@example.com', round)).ms)
      unknown.push((await tryPassword(`nobody-${round}@example.com`, round)).ms)
    }
    // Without the dummy hash for unknown accounts the ratio would be a fifth.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
  },
  { tags: ['long'] },
)

verifies(
  ['sign-in.throttled', 'sign-in.nobody-locked-out', 'sign-in.known-browser'],
  'after ten guesses from elsewhere a known browser signs in immediately, a new one after a moment, and guesses have to wait',
  async () => {
    const { browser: own } = await world.join('guessed@example.com')
    await own.press(await own.go(world.within('/sign-out'), []), 'Sign out', [])
    const guess = async (password: string, from: string, email = 'guessed@example.com') =>
      (await world.signIn(email, { password, from })).response
    const ofAccount: number[] = []
    for (let at = 0; at < 10; at += 1) {
      ofAccount.push((await guess(`wrong ${at}`, `203.0.${at}.1`)).status)
    }
    const begun = performance.now()
    const known = await world.signIn('Guessed@example.com', { browser: own, from: '203.0.113.99' })
    const knownMs = performance.now() - begun
    const [fresh, ...wrong] = await Promise.all([
      world.signIn('guessed@example.com', { from: '198.51.100.98' }),
      guess('wrong again', '203.0.120.1', ' Guessed@example.com\t'),
      guess('wrong again', '203.0.121.1', '\uFEFFguessed@example.com'),
    ])
    const tookMs = performance.now() - begun

    expect(new Set(ofAccount)).toEqual(new Set([401]))
    expect(known.url.pathname).toBe('/account')
    expect(fresh.url.pathname).toBe('/account')
    expect(wrong.map(({ status }) => status)).toEqual([401, 401])
    expect(knownMs).toBeLessThan(5_000)
    // Three attempts waited for turns of five seconds.
    expect(tookMs).toBeGreaterThan(9_000)
  },
  { timeout: 60_000, tags: ['long'] },
)

verifies(
  'sign-in.known-browser',
  'the cookie of a known browser belongs to one account and one password, and does not sign anyone in',
  async () => {
    const { browser } = await world.join('known-browser@example.com')
    const device = browser.cookies.find(({ name }) => name === 'citewell_device')
    const guest = openScriptedBrowser()
    guest.cookies.push({
      name: 'citewell_device',
      value: device?.value ?? '',
      path: '/',
      origin: world.address,
    })
    const alone = await guest.request(world.within('/account'))
    const seen = async (email: string) => {
      for (let at = 0; at < 10; at += 1)
        await world.signIn(email, { browser: guest, password: `wrong ${at}`, from: `192.0.${at}.3` })
      const rows = await world.signIn(email, { from: '192.0.2.250' })
      return rows.url.pathname
    }
    // Ten failures of the known browser count against it alone: a new browser still has all ten of the account.
    const begun = performance.now()
    const path = await seen('known-browser@example.com')
    const took = performance.now() - begun
    expect(device?.value).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
    expect(alone.headers.get('location')).toContain('/sign-in')
    expect(path).toBe('/account')
    expect(took).toBeLessThan(20_000)
  },
  60_000,
)

test('frequent sign-ins with the right password are never throttled', { tags: ['long'] }, async () => {
  await world.join('busy@example.com')
  for (let at = 0; at < 11; at += 1) {
    expect((await world.signIn('busy@example.com', { from: '192.0.2.9' })).url.pathname).toBe('/account')
  }
})

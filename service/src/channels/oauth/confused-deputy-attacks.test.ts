import { generateKeyPairSync, sign } from 'node:crypto'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScriptedBrowser } from '../../../test/scripted-browser.ts'
import { formOf } from '../../../test/oauth-requests.ts'
import { openReaderWorld, REDIRECT, type ReaderWorld } from '../../../test/reader-sign-in-world.ts'

const EVIL = 'https://evil.example/callback'

let world: ReaderWorld
let server: string

beforeAll(async () => {
  world = await openReaderWorld()
  server = (await world.makeServer('deputy')).address
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const countOf = async (kind: string) =>
  Number(
    (await world.citewell.rows(`select count(*) from oauth_records where kind = '${kind}'`))[0]?.['count'],
  )

const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/name="([^"]*)"\s+value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )

const start = async (clientId: string, browser = openScriptedBrowser(), fields = {}) =>
  await browser.go(world.authorization(clientId, server, fields).url, [REDIRECT, EVIL])

describe('the confused deputy of the MCP security best practices', () => {
  verifies(
    'mcp-attacks.confused-deputy',
    "an attacker's client gets no code from a browser that allowed another client",
    async () => {
      const { browser } = await world.connect(server)
      const codes = await countOf('AuthorizationCode')
      const attacker = await world.registered({ client_name: 'Test tool', redirect_uris: [EVIL] })
      const asWeb = await world.registered({ application_type: 'web', redirect_uris: [EVIL] })
      const ways: Record<string, string>[] = [
        {},
        { prompt: 'none' },
        { scope: 'mcp offline_access' },
        { login_hint: 'x' },
      ]
      const ended = []
      for (const clientId of [attacker, asWeb]) {
        for (const way of ways) ended.push(await start(clientId, browser, { redirect_uri: EVIL, ...way }))
      }

      expect(ended.map(({ url }) => url.searchParams.get('code'))).toEqual(ended.map(() => null))
      expect(ended.filter(({ url }) => url.pathname.startsWith('/connect/'))).toHaveLength(6)
      expect(
        ended.filter(({ url }) => url.href.startsWith(EVIL)).map(({ url }) => url.searchParams.get('error')),
      ).toEqual(['interaction_required', 'interaction_required'])
      expect(await countOf('AuthorizationCode')).toBe(codes)
    },
  )

  test('a client that was allowed before asks for consent again, and the page shows where its answer goes', async () => {
    const { browser, clientId } = await world.connect(server)
    const again = await start(clientId, browser)
    const web = await world.registered({ application_type: 'web', redirect_uris: [EVIL] })
    const first = await start(web, browser, { redirect_uri: EVIL })
    await browser.press(first, 'Connect', [EVIL])
    const second = await start(web, browser, { redirect_uri: EVIL })

    expect(again.html).toContain('127.0.0.1:43117')
    expect(second.url.pathname).toMatch(/^\/connect\//)
    expect(second.html).toContain('evil.example')
  })

  test('a client that was allowed at one server is not allowed at another', async () => {
    const { browser, clientId } = await world.connect(server)
    const other = (await world.makeServer('deputy-two')).address
    const page = await browser.go(world.authorization(clientId, other).url, [REDIRECT])

    expect(page.html).toContain('deputy-two')
  })

  test('the browser is redirected to the identity provider only after the consent form was submitted', async () => {
    const browser = openScriptedBrowser()
    const page = await start(await world.registered(), browser)

    expect(page.url.origin).toBe(world.address)
    expect(browser.cookies.some(({ name }) => name.startsWith('citewell_outside'))).toBe(false)
    expect(await countOf('OutsideLogin')).toBe(0)
  })
})

describe('the consent form', () => {
  verifies(
    'mcp-attacks.consent-form',
    'the consent form is accepted only with its own token, in its own browser',
    async () => {
      const victim = openScriptedBrowser()
      const attacker = openScriptedBrowser()
      const page = await start(await world.registered(), victim)
      const ofAttacker = await start(await world.registered(), attacker)
      const own: Record<string, string> = { decision: 'allow', provider: 'oidc', ...fieldsOf(page.html) }
      const foreign = fieldsOf(ofAttacker.html)['csrf'] ?? ''
      const attempts = await Promise.all([
        // A form of another site, in the victim's browser: without the token, with the attacker's token, with half of the token.
        victim.request(page.url, formOf({ decision: 'allow', provider: 'oidc' })),
        victim.request(page.url, formOf({ ...own, csrf: foreign })),
        victim.request(page.url, formOf({ ...own, csrf: (own['csrf'] ?? '').slice(0, -1) })),
        victim.request(page.url, {
          ...formOf(own),
          body: JSON.stringify(own),
          headers: { 'content-type': 'text/plain' },
        }),
        // The victim's page with all its fields, in the attacker's browser.
        attacker.request(page.url, formOf(own)),
        openScriptedBrowser().request(page.url, formOf(own)),
        attacker.request(page.url),
        victim.request(`${world.address}/connect/unknown`, formOf(own)),
      ])

      expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400, 400, 400, 400])
      expect(attempts.every(({ headers }) => !headers.has('location'))).toBe(true)
    },
  )

  verifies(
    'mcp-attacks.consent-form',
    'the consent form is accepted once: submitting it twice gives one code',
    async () => {
      const { browser } = await world.connect(server)
      const page = await start(await world.registered(), browser)
      const codes = await countOf('AuthorizationCode')
      const own = { ...fieldsOf(page.html), decision: 'allow' }
      const pressed = await Promise.all([1, 2].map(() => browser.request(page.url, formOf(own))))
      const locations = pressed.flatMap(({ headers }) => headers.get('location') ?? [])
      const ends = []
      for (const location of locations)
        ends.push(await browser.go(new URL(location, page.url), [REDIRECT]).catch(() => undefined))
      const later = await browser.request(page.url, formOf(own))

      expect(ends.filter((end) => end?.url.searchParams.has('code'))).toHaveLength(1)
      expect(await countOf('AuthorizationCode')).toBe(codes + 1)
      expect(later.status).toBe(400)
    },
  )

  test('the consent form works in two tabs, each for its own tool', async () => {
    const browser = openScriptedBrowser()
    const clients = [
      await world.registered({ client_name: 'First' }),
      await world.registered({ client_name: 'Second' }),
    ]
    const [first, second] = await Promise.all(clients.map((clientId) => start(clientId, browser)))
    if (first === undefined || second === undefined) throw new Error('two pages')
    const issuer = `${world.outside.issuer.url ?? ''}/authorize`
    const firstAway = await browser.press(first, 'Connect with', [issuer])
    const secondAway = await browser.press(second, 'Connect with', [issuer])
    const ends = [await browser.go(firstAway.url, [REDIRECT]), await browser.go(secondAway.url, [REDIRECT])]

    expect(first.html).toContain('First')
    expect(second.html).toContain('Second')
    expect(ends.map(({ url }) => url.href.startsWith(`${REDIRECT}?code=`))).toEqual([true, true])
  })

  test('the consent page cannot be framed or cached, and sends no referrer to other sites', async () => {
    const browser = openScriptedBrowser()
    const page = await start(await world.registered(), browser)
    const { headers } = page.response
    const cookies = page.response.headers.getSetCookie()

    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    // The forms of this service may receive a referrer: without it browsers do not send the origin of a form.
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.html).not.toMatch(/<script/i)
    expect(cookies).toEqual([])
  })
})

describe('the callback from the identity provider', () => {
  test('the callback works once, in the browser that started the sign-in, and for the tool it was started for', async () => {
    const victim = openScriptedBrowser()
    const attacker = openScriptedBrowser()
    const issuer = `${world.outside.issuer.url ?? ''}/authorize`
    const back = [`${world.address}/connect/back`]
    // The attacker signs in, and makes the victim's browser finish: the victim would be signed in as the attacker.
    const attackers = await attacker.press(await start(await world.registered(), attacker), 'Connect with', [
      issuer,
    ])
    const attackersBack = await attacker.go(attackers.url, back)
    const forced = await victim.request(attackersBack.url)
    // The victim has a pending sign-in: its cookie does not match either.
    const victims = await victim.press(await start(await world.registered(), victim), 'Connect with', [
      issuer,
    ])
    const forcedAgain = await victim.request(attackersBack.url)
    const victimsBack = await victim.go(victims.url, back)
    const stolen = await attacker.request(victimsBack.url)
    const first = await victim.request(victimsBack.url)
    const replayed = await victim.request(victimsBack.url)

    expect([forced, forcedAgain, stolen, first, replayed].map(({ status }) => status)).toEqual([
      400, 400, 400, 303, 400,
    ])
  })

  test('the callback ends if the provider refuses, or if another provider answers (mix-up)', async () => {
    const issuer = `${world.outside.issuer.url ?? ''}/authorize`
    const answers: string[] = []
    for (const change of [
      { error: 'access_denied', code: undefined },
      { iss: 'https://evil.example' },
      { code: undefined },
      { code: 'made-up' },
    ]) {
      const browser = openScriptedBrowser()
      const away = await browser.press(await start(await world.registered(), browser), 'Connect with', [
        issuer,
      ])
      const back = (await browser.go(away.url, [`${world.address}/connect/back`])).url
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) back.searchParams.delete(name)
        else back.searchParams.set(name, value)
      }
      const answer = await browser.request(back)
      answers.push(`${answer.status} ${answer.headers.get('location') ?? ''}`)
    }

    expect(answers).toEqual(['400 ', '400 ', '400 ', '400 '])
  })

  verifies(
    'sign-in.id-token-signature',
    'an ID token that no published key of the provider has signed is refused, whatever it says',
    async () => {
      const issuer = `${world.outside.issuer.url ?? ''}/authorize`
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const partsOf = (token: string) => token.split('.') as [string, string, string]
      const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object
      const changes: [string, (token: string) => string, number][] = [
        ['as it is', (token) => token, 303],
        ['another signature', (token) => `${token.slice(0, -12)}${'A'.repeat(12)}`, 400],
        [
          'another person',
          (token) => {
            const [header, payload, signature] = partsOf(token)
            return [header, encoded({ ...decoded(payload), sub: 'somebody-else' }), signature].join('.')
          },
          400,
        ],
        [
          'signed by another key with the same name',
          (token) => {
            const [header, payload] = partsOf(token)
            const signature = sign('sha256', Buffer.from(`${header}.${payload}`), privateKey)
            return [header, payload, signature.toString('base64url')].join('.')
          },
          400,
        ],
        [
          'not signed',
          (token) => {
            const [header, payload] = partsOf(token)
            return `${encoded({ ...decoded(header), alg: 'none' })}.${payload}.`
          },
          400,
        ],
      ]
      const answers = []
      for (const [name, change] of changes) {
        world.outside.service.once('beforeResponse', ({ body }: { body: { id_token?: string } }) => {
          body.id_token = change(body.id_token ?? '')
        })
        const browser = openScriptedBrowser()
        const away = await browser.press(await start(await world.registered(), browser), 'Connect with', [
          issuer,
        ])
        const back = (await browser.go(away.url, [`${world.address}/connect/back`])).url
        answers.push([name, (await browser.request(back)).status])
      }

      expect(answers).toEqual(changes.map(([name, , status]) => [name, status]))
    },
  )

  test('the final step without a sign-in is refused', async () => {
    const browser = openScriptedBrowser()
    const page = await start(await world.registered(), browser)
    const done = await browser.request(`${page.url.href}/done`)

    expect(done.status).toBe(400)
  })
})

test('cookies are readable by neither scripts nor other hosts, and are not sent with forms of other sites', async () => {
  const browser = openScriptedBrowser()
  const seen: string[] = []
  const keeping: typeof browser.request = async (address, init) => {
    const answer = await browser.request(address, init)
    seen.push(...answer.headers.getSetCookie())
    return answer
  }
  const begun = await keeping(world.authorization(await world.registered(), server).url)
  const page = await browser.go(new URL(begun.headers.get('location') ?? '', world.address), [REDIRECT])
  await keeping(page.url, formOf({ ...fieldsOf(page.html), decision: 'allow', provider: 'oidc' }))
  const { browser: signedIn } = await world.connect(server)
  const set = seen.filter((cookie) => !/expires=Thu, 01 Jan 1970/i.test(cookie))

  expect(set.length).toBeGreaterThan(3)
  expect(set.filter((cookie) => !/httponly/i.test(cookie) || !/samesite=lax/i.test(cookie))).toEqual([])
  expect(set.filter((cookie) => /domain=/i.test(cookie))).toEqual([])
  expect(signedIn.cookies.map(({ value }) => value).join()).not.toMatch(/reader:|johndoe/)
})

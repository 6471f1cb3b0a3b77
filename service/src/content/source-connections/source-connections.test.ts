import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { shareConnectWorld, type ConnectionRecord } from '../../../test/connectors/connect-world.ts'
import { TIMEOUT } from '../../../test/connectors/connector-world.ts'
import { startGoogleDrive } from '../../../test/connectors/google-drive-stand-in.ts'
import { startAuthorizationServer, type AuthorizationRules } from '../../../test/connectors/oauth-stand-in.ts'
import { createRandom } from '../../../test/connectors/random.ts'

const APP = { clientId: 'app.example', clientSecret: 'CANARYclientsecret' }
const openWorld = shareConnectWorld({ google: APP })

const GOOGLE: AuthorizationRules = {
  ...APP,
  authorizePath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  revokePath: '/revoke',
  redirectUrl: 'https://answers.example.com/connect-source/google',
  scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  // Google gives one only if it is asked for, and after the first time only with a new consent.
  givesRefreshToken: (asked) => asked.get('access_type') === 'offline' && asked.get('prompt') === 'consent',
  rotates: false,
  needsPkce: true,
  alsoKnows: ['access_type', 'prompt', 'include_granted_scopes', 'login_hint'],
}

/** An account at Google, a drive that its tokens open, and a member with a base. */
async function openGoogle(rules: Partial<AuthorizationRules> = {}) {
  const world = openWorld()
  const google = await startAuthorizationServer({ ...GOOGLE, ...rules })
  const drive = await startGoogleDrive()
  drive.state.acceptsToken = (token) => google.isValid(token)
  Object.assign(world.apiOrigins, {
    'accounts.google.com': google.server.origin,
    'oauth2.googleapis.com': google.server.origin,
    'www.googleapis.com': drive.server.origin,
    google_drive: drive.server.origin,
  })
  const browser = await world.openBrowser()
  const baseId = await browser.makeBase()
  const connect = async () => {
    const { body } = await browser.start(baseId, 'google')
    return { id: body.id, back: await google.visit(body.authorize_url) }
  }
  const read = async (id: string) =>
    (await browser.ask<ConnectionRecord>('GET', `/source-connections/${id}`)).body
  async function addSource(connectionId: string) {
    const source = await browser.ask('POST', `/knowledge-bases/${baseId}/sources`, {
      type: 'google_drive',
      name: 'drive',
      config: drive.model.config,
      connection_id: connectionId,
    })
    return source.body['id'] ?? ''
  }
  const [job] = world.syncs.jobs
  async function sync(sourceId: string) {
    const begun = await browser.ask('POST', `/sources/${sourceId}/sync`)
    world.clock.time = new Date(world.clock.time.getTime() + 60_000)
    await job?.handle({}, new AbortController().signal)
    return (await browser.ask<{ status: string; error: string | null }>('GET', `/syncs/${begun.body['id']}`))
      .body
  }
  const close = async () => {
    await google[Symbol.asyncDispose]()
    await drive[Symbol.asyncDispose]()
  }
  return {
    world,
    google,
    drive,
    browser,
    baseId,
    connect,
    read,
    addSource,
    sync,
    [Symbol.asyncDispose]: close,
  }
}

verifies(
  'sources.connected-accounts',
  'an account is connected with a button, read with, renewed, and taken back; its tokens are in no answer or row',
  async () => {
    await using at = await openGoogle()
    const { browser, google, drive, world } = at
    drive.add(createRandom(1))
    const platforms = await browser.ask('GET', `/knowledge-bases/${at.baseId}/connectable-platforms`)
    expect(platforms.body).toMatchObject({
      platforms: expect.arrayContaining([
        { platform: 'google', name: 'Google', is_set_up: true, redirect_url: GOOGLE.redirectUrl },
      ]),
    })
    const { id, back } = await at.connect()
    expect(await at.read(id)).toMatchObject({ status: 'pending', account: null })
    const page = await browser.comeBack(back)
    expect(page).toMatchObject({ status: 200, page: expect.stringContaining('reader@acme.iam') })
    expect(await at.read(id)).toMatchObject({ status: 'connected', platform: 'google' })

    const sourceId = await at.addSource(id)
    expect(await at.sync(sourceId)).toMatchObject({ status: 'succeeded', error: null })
    // The API stops accepting the token before its time: it is renewed once, and the sync goes on.
    google.expireAccess()
    drive.add(createRandom(2))
    google.server.forget()
    expect(await at.sync(sourceId)).toMatchObject({ status: 'succeeded' })
    expect(google.server.requests).toHaveLength(1)
    // Its time is over: it is renewed before it is used.
    world.clock.time = new Date(world.clock.time.getTime() + 3_590_000)
    drive.server.forget()
    expect(await at.sync(sourceId)).toMatchObject({ status: 'succeeded' })
    expect(google.server.requests).toHaveLength(2)

    const { rows } = await world.storage.execute('select to_jsonb(t)::text as row from source_connections t')
    const kept = JSON.stringify([rows, await browser.ask('GET', `/sources/${sourceId}`), page])
    expect(kept).not.toMatch(/access-\d|refresh-\d|code-\d|CANARY/)

    expect((await browser.ask('DELETE', `/source-connections/${id}`)).status).toBe(204)
    expect(google.server.requests.at(-1)).toMatchObject({ path: '/revoke' })
    expect((await browser.ask('GET', `/sources/${sourceId}`)).body).toMatchObject({ connection_id: null })
    expect(await at.sync(sourceId)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('neither a connected Google account nor the key'),
    })
  },
  TIMEOUT,
)

test(
  'what was begun is finished once, by the browser that began it, within ten minutes',
  TIMEOUT,
  async () => {
    await using at = await openGoogle()
    const { browser, world } = at
    const other = await world.openBrowser(browser.workspaceId)
    const stranger = await world.openBrowser()
    const refused = { status: 400, page: expect.stringContaining('was not begun in this browser') }

    const first = await at.connect()
    // Another person of the same workspace, a stranger, a browser that is not signed in, a made-up state, another platform's address.
    expect(await other.comeBack(first.back)).toMatchObject(refused)
    expect(await stranger.comeBack(first.back)).toMatchObject(refused)
    const signedOut = await world.service.fetch(new Request(first.back ?? 'https://answers.example.com/'))
    expect(signedOut.status).toBe(403)
    const madeUp = new URL(first.back ?? '')
    madeUp.searchParams.set('state', 'x'.repeat(43))
    expect(await browser.comeBack(madeUp)).toMatchObject(refused)
    madeUp.searchParams.delete('state')
    expect(await browser.comeBack(madeUp)).toMatchObject(refused)
    const elsewhere = new URL((first.back?.href ?? '').replace('/google', '/microsoft'))
    expect(await browser.comeBack(elsewhere)).toMatchObject(refused)
    // None of them used it up.
    expect(await browser.comeBack(first.back)).toMatchObject({ status: 200 })
    expect(await browser.comeBack(first.back)).toMatchObject(refused)
    expect(await at.read(first.id)).toMatchObject({ status: 'connected' })

    const second = await at.connect()
    const twice = await Promise.all([browser.comeBack(second.back), browser.comeBack(second.back)])
    expect(twice.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])

    const third = await at.connect()
    world.clock.time = new Date(world.clock.time.getTime() + 601_000)
    expect(await browser.comeBack(third.back)).toMatchObject(refused)
  },
)

test(
  'a code of another connecting, and a right that was taken away meanwhile, connect nothing',
  TIMEOUT,
  async () => {
    await using at = await openGoogle()
    const { browser, world } = at
    const mine = await at.connect()
    const theirs = await at.connect()
    const mixed = new URL(mine.back ?? '')
    // An attacker's code in the victim's browser: the verifier of PKCE is another one.
    mixed.searchParams.set('code', theirs.back?.searchParams.get('code') ?? '')
    expect(await browser.comeBack(mixed)).toMatchObject({
      status: 400,
      page: expect.stringContaining('Invalid code verifier'),
    })
    expect(await at.read(mine.id)).toMatchObject({ status: 'pending' })

    const last = await at.connect()
    await world.storage.execute(
      `update workspace_members set role = 'member' where workspace_id = '${browser.workspaceId}'`,
    )
    expect((await browser.comeBack(last.back)).status).toBeGreaterThanOrEqual(403)
  },
)

test('what a person does not allow, or allows in part, is said and connects nothing', TIMEOUT, async () => {
  await using at = await openGoogle()
  at.google.person.denies = true
  const denied = await at.connect()
  expect(await at.browser.comeBack(denied.back)).toMatchObject({
    status: 400,
    page: expect.stringContaining('It was not allowed at Google'),
  })
  Object.assign(at.google.person, { denies: false, grants: ['openid'] })
  const less = await at.connect()
  expect(await at.browser.comeBack(less.back)).toMatchObject({
    status: 400,
    page: expect.stringContaining('leave every box of the page there ticked'),
  })
  const hostile = new URL((await at.connect()).back ?? '')
  hostile.searchParams.delete('code')
  hostile.searchParams.set('error', '<script>alert(1)</script>')
  const { page } = await at.browser.comeBack(hostile)
  expect(page).not.toContain('<script>alert')
  // What nobody allowed is forgotten a day later, also what came back without being allowed.
  expect(await at.read(denied.id)).toMatchObject({ status: 'pending' })
  await at.world.storage.execute(
    `update source_connections set updated_at = updated_at - interval '25 hours' where id = '${denied.id}'`,
  )
  await at.connect()
  expect((await at.browser.ask('GET', `/source-connections/${denied.id}`)).status).toBe(404)
})

test(
  'a server that answers nonsense, or gives no lasting access, connects nothing and is told',
  TIMEOUT,
  async () => {
    await using at = await openGoogle({ givesRefreshToken: () => false })
    const without = await at.connect()
    expect(await at.browser.comeBack(without.back)).toMatchObject({
      status: 400,
      page: expect.stringContaining('gave no lasting access. Remove the app at myaccount.google.com'),
    })
    const NONSENSE = {
      'a page': [{ body: '<!doctype html><title>Sign in</title>' }, /something else than tokens/],
      '10 MB': [{ body: 'x'.repeat(10_000_000) }, /larger than allowed/],
      'a redirect': [
        { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' },
        /answered 302/,
      ],
      'a token with a line break': [{ body: { access_token: 'a\r\nx: y', expires_in: 1 } }, /something else/],
      'a wrong secret': [{ status: 401, body: { error: 'invalid_client' } }, /invalid_client/],
    } as const
    for (const [what, [answer, says]] of Object.entries(NONSENSE)) {
      const { id, back } = await at.connect()
      at.google.server.misbehave(answer)
      expect({ what, ...(await at.browser.comeBack(back)) }).toMatchObject({
        what,
        status: 400,
        page: expect.stringMatching(says),
      })
      expect(await at.read(id)).toMatchObject({ status: 'pending' })
    }
  },
)

test(
  'an account that is taken back at the platform is told as broken, and is connected again for its sources',
  TIMEOUT,
  async () => {
    await using at = await openGoogle()
    const { browser, google, drive } = at
    drive.add(createRandom(3))
    const { id, back } = await at.connect()
    await browser.comeBack(back)
    const sourceId = await at.addSource(id)
    await at.sync(sourceId)
    google.revokeAll()
    expect(await at.sync(sourceId)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /Token has been expired or revoked \(invalid_grant\)\. Open this source.*connect Google again/,
      ),
    })
    expect(await at.read(id)).toMatchObject({ status: 'broken' })
    google.server.forget()
    expect(await at.sync(sourceId)).toMatchObject({
      error: expect.stringContaining('no longer accepts this connection'),
    })
    expect(google.server.requests).toEqual([])
    const again = await browser.ask<ConnectionRecord>('POST', `/source-connections/${id}/reconnect`)
    expect(await browser.comeBack(await google.visit(again.body.authorize_url))).toMatchObject({
      status: 200,
    })
    expect(await at.sync(sourceId)).toMatchObject({ status: 'succeeded' })
  },
)

test(
  'where each refresh token works once, two that need it at the same time do not end the connection',
  TIMEOUT,
  async () => {
    await using at = await openGoogle({ rotates: true })
    const { browser, google, drive, world, baseId } = at
    drive.add(createRandom(4))
    google.setLife(30)
    const { id, back } = await at.connect()
    await browser.comeBack(back)
    const signal = AbortSignal.timeout(60_000)
    const access = world.sourceConnections.accessOf(baseId, id, 'google_drive')
    // What is wrong with the app, and what passes, is told and ends nothing.
    const FAULTS = [
      [
        { status: 401, body: { error: 'invalid_client' } },
        /sets CITEWELL_CONNECT_GOOGLE_CLIENT_SECRET again/,
      ],
      [{ status: 400, body: { error: 'unauthorized_client' } }, /_CLIENT_SECRET again/],
      [{ status: 503, body: { error: 'invalid_grant' } }, /The next sync tries again/],
      [{ status: 429, body: { error: 'too_many' } }, /The next sync tries again/],
      [{ body: { ok: false, error: 'ratelimited' } }, /The next sync tries again/],
    ] as const
    for (const [answer, says] of FAULTS) {
      google.server.misbehave(answer)
      await expect(access?.token(signal)).rejects.toThrow(says)
      expect(await at.read(id)).toMatchObject({ status: 'connected' })
    }
    google.setLife(3_600)
    google.server.forget()
    const tokens = await Promise.all(Array.from({ length: 6 }, async () => await access?.token(signal)))
    expect(new Set(tokens).size).toBe(1)
    expect(google.server.requests).toHaveLength(1)
    // A failure on the way uses nothing up.
    google.expireAccess()
    google.server.misbehave({ status: 503, body: 'busy' })
    await expect(access?.renew(tokens[0] ?? '', signal)).rejects.toThrow(/The next sync tries again/)
    expect(google.isValid((await access?.renew(tokens[0] ?? '', signal)) ?? '')).toBe(true)
  },
)

test('a connection is used in its base, for its types, by those who may configure it', TIMEOUT, async () => {
  await using at = await openGoogle()
  const { browser, world, baseId } = at
  const { id, back } = await at.connect()
  const source = (connection_id: string, type = 'google_drive', more: object = {}) =>
    browser.ask<{ details: object[] }>('POST', `/knowledge-bases/${baseId}/sources`, {
      type,
      name: 'x',
      config: type === 'google_drive' ? at.drive.model.config : {},
      connection_id,
      ...more,
    })
  const details = (message: string) => ({
    status: 400,
    body: { details: [{ path: 'connection_id', message: expect.stringContaining(message) }] },
  })
  expect(await source(id)).toMatchObject(details('is not connected yet'))
  await browser.comeBack(back)
  expect(await source(id, 'intercom')).toMatchObject(details('is not an account that this type'))
  expect(await source(id, 'google_drive', { credentials: { token: 'x' } })).toMatchObject({ status: 400 })
  const other = await world.openBrowser()
  const theirBase = await other.makeBase()
  const foreign = await other.ask('POST', `/knowledge-bases/${theirBase}/sources`, {
    type: 'google_drive',
    name: 'x',
    config: at.drive.model.config,
    connection_id: id,
  })
  expect(foreign).toMatchObject(details('is not a connected account of this knowledge base'))
  expect((await other.ask('GET', `/source-connections/${id}`)).status).toBe(404)
  const member = await world.openBrowser(browser.workspaceId, 'member')
  expect((await member.start(baseId, 'google')).status).toBe(403)
  expect(await browser.start(baseId, 'slack')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('CITEWELL_CONNECT_SLACK_CLIENT_ID') },
  })
  // A token has no browser that could come back.
  const byToken = await world.send('POST', `/knowledge-bases/${baseId}/source-connections`, {
    platform: 'google',
  })
  expect(byToken.status).toBeGreaterThanOrEqual(403)
})

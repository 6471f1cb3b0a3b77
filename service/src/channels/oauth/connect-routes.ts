import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Adapter, Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import type { OutsideIdentity, OutsideLogin, OutsideProvider } from '../sign-in/sign-in.ts'
import { connectFaultPage, consentPage } from './connect-pages.ts'
import { fitsServer } from './create-provider.ts'
import { finishConsent, grantConsent } from './finish-consent.ts'
import { LOOPBACK, type SignInServer } from './protected-resources.ts'

export interface ConnectRoutesDeps {
  provider: () => Promise<Provider>
  publicUrl: () => string
  /** Ways to sign in as a reader. */
  outsideProviders: readonly OutsideProvider[]
  findServer: (resource: string) => Promise<SignInServer | undefined>
  /** The opaque id of a reader: nothing of who they are can be read from it. */
  readerIdOf: (identity: OutsideIdentity) => string
  /** Records that outlive a request: of people on their way to a provider, and of those who came back. */
  records: (kind: 'OutsideLogin' | 'OutsideResult') => Adapter
  csrfKey: string
  /** Tells whoever runs the service why signing in did not work. */
  report: (fault: unknown, doing: string) => void
  /** Told of a grant, so that its person can see it and take it back. */
  onConnected: (connected: {
    accountId: string
    grantId: string
    serverId: string
    clientId: string
    clientName: string
    redirectHost: string
    resource: string
  }) => Promise<void>
}

const LOGIN_SECONDS = 10 * 60
const COOKIE = 'citewell_outside'

type Page = Context<HttpEnv>

function nodeOf(context: Page): { incoming: IncomingMessage; outgoing: ServerResponse } {
  const { incoming, outgoing } = context.env
  if (incoming === undefined || outgoing === undefined) throw new Refusal('NOT_FOUND')
  return { incoming, outgoing }
}

/** Our own consent page, shown for each tool before anybody is sent on, and the way to a provider and back. */
export function createConnectRoutes(deps: ConnectRoutesDeps) {
  const csrfOf = (uid: string) =>
    createHmac('sha256', deps.csrfKey).update(`connect ${uid}`).digest('base64url')
  const isCsrf = (uid: string, given: unknown) => {
    const [left, right] = [Buffer.from(csrfOf(uid)), Buffer.from(typeof given === 'string' ? given : '')]
    return left.length === right.length && timingSafeEqual(left, right)
  }

  /** What a person at this address is asked, if it is theirs: the browser holds the cookie of it. */
  async function opened(context: Page) {
    const provider = await deps.provider()
    const { incoming, outgoing } = nodeOf(context)
    const interaction = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
    if (interaction === undefined || interaction.uid !== context.req.param('uid')) {
      throw new Refusal('BAD_REQUEST', {
        because: 'This page is out of date, or belongs to another browser.',
      })
    }
    const resource = String(interaction.params['resource'])
    const [server, client] = await Promise.all([
      deps.findServer(resource),
      provider.Client.find(String(interaction.params['client_id'])),
    ])
    if (server === undefined || client === undefined)
      throw new Refusal('NOT_FOUND', { because: 'This server is gone.' })
    const redirect = new URL(String(interaction.params['redirect_uri']))
    const accountId = interaction.session?.accountId
    return {
      provider,
      interaction,
      resource,
      server,
      clientName: client.clientName ?? client.clientId,
      redirectHost: redirect.host === '' ? redirect.protocol : redirect.host,
      isLoopback: LOOPBACK.has(redirect.hostname),
      signedInAs: accountId !== undefined && fitsServer(accountId, server) ? accountId : undefined,
    }
  }

  type Opened = Awaited<ReturnType<typeof opened>>

  function showConsent(context: Page, shown: Opened) {
    const { interaction, clientName, redirectHost, isLoopback, server, signedInAs } = shown
    const consent = {
      clientName,
      redirectHost,
      isLoopback,
      serverName: server.serverName,
      knowledgeBaseName: server.knowledgeBaseName,
      csrf: csrfOf(interaction.uid),
      providers: signedInAs === undefined ? deps.outsideProviders : [],
    }
    return context.html(consentPage(consent), 200, PLAIN_PAGE_HEADERS)
  }

  async function finish(context: Page, shown: Opened, accountId: string) {
    const { provider, interaction, server, resource, clientName, redirectHost } = shown
    const grantId = await grantConsent(provider, { interaction, accountId, resource })
    const clientId = String(interaction.params['client_id'])
    // Before the tool has its code: a token without this row is good for nothing.
    await deps.onConnected({
      accountId,
      grantId,
      serverId: server.id,
      clientId,
      clientName,
      redirectHost,
      resource,
    })
    await finishConsent(provider, nodeOf(context), { accountId, grantId })
    return RESPONSE_ALREADY_SENT
  }

  async function deny(context: Page, { provider }: Opened) {
    const { incoming, outgoing } = nodeOf(context)
    await provider.interactionFinished(
      incoming,
      outgoing,
      { error: 'access_denied', error_description: 'The person did not allow it.' },
      { mergeWithLastSubmission: false },
    )
    return RESPONSE_ALREADY_SENT
  }

  const wayBack = (outside: OutsideProvider) => `${deps.publicUrl()}/connect/back/${outside.id}`

  async function sendToProvider(context: Page, uid: string, providerId: unknown) {
    const outside = deps.outsideProviders.find(({ id }) => id === providerId)
    if (outside === undefined)
      throw new Refusal('BAD_REQUEST', { because: 'Choose one of the ways to sign in.' })
    const { address, login } = await outside.begin(wayBack(outside))
    await deps.records('OutsideLogin').upsert(login.state, { uid, kind: outside.id, login }, LOGIN_SECONDS)
    // Only now, after the person has allowed it: whoever is sent straight to the way back has no such cookie.
    setCookie(context, COOKIE, login.state, {
      path: '/connect/back',
      httpOnly: true,
      sameSite: 'Lax',
      secure: deps.publicUrl().startsWith('https:'),
      maxAge: LOGIN_SECONDS,
    })
    return context.redirect(address, 303)
  }

  async function comeBack(context: Page) {
    const state = context.req.query('state') ?? ''
    const logins = deps.records('OutsideLogin')
    const record = (await logins.find(state)) as
      | { uid: string; kind: string; login: OutsideLogin }
      | undefined
    const outside = deps.outsideProviders.find(({ id }) => id === context.req.param('provider'))
    const isOwn = state !== '' && getCookie(context, COOKIE) === state
    if (record === undefined || outside === undefined || !isOwn || record.kind !== outside.id) {
      throw new Refusal('BAD_REQUEST', { because: 'This answer was not asked for by this browser.' })
    }
    await logins.destroy(state)
    const cameBackTo = new URL(wayBack(outside))
    cameBackTo.search = new URL(context.req.url).search
    const identity = await outside.finish(cameBackTo, record.login)
    const result = { accountId: deps.readerIdOf(identity) }
    await deps.records('OutsideResult').upsert(record.uid, result, LOGIN_SECONDS)
    return context.redirect(`/connect/${record.uid}/done`, 303)
  }

  async function done(context: Page) {
    const shown = await opened(context)
    const results = deps.records('OutsideResult')
    const { accountId } = ((await results.find(shown.interaction.uid)) ?? {}) as { accountId?: string }
    if (accountId === undefined || !fitsServer(accountId, shown.server)) {
      throw new Refusal('BAD_REQUEST', { because: 'Nobody has signed in here.' })
    }
    await results.destroy(shown.interaction.uid)
    return await finish(context, shown, accountId)
  }

  async function decide(context: Page) {
    const shown = await opened(context)
    const { uid } = shown.interaction
    const body = await context.req.parseBody()
    if (!isCsrf(uid, body['csrf']))
      throw new Refusal('FORBIDDEN', { because: 'This form is not from this page.' })
    if (body['decision'] !== 'allow') return await deny(context, shown)
    if (shown.signedInAs !== undefined) return await finish(context, shown, shown.signedInAs)
    return await sendToProvider(context, uid, body['provider'])
  }

  /** What goes wrong is told on a page: people are here, not programs. */
  const asPage = (serve: (context: Page) => Promise<Response> | Response) => async (context: Page) => {
    try {
      return await serve(context)
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      if (fault.cause !== undefined) deps.report(fault.cause, 'signing in with a provider')
      const status = fault.code === 'FORBIDDEN' ? 403 : fault.code === 'UNAVAILABLE' ? 503 : 400
      return context.html(connectFaultPage(fault.code, fault.message), status, PLAIN_PAGE_HEADERS)
    }
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/connect/back/:provider', asPage(comeBack))
    app.get('/connect/:uid/done', asPage(done))
    app.get(
      '/connect/:uid',
      asPage(async (context) => showConsent(context, await opened(context))),
    )
    app.post('/connect/:uid', limitForm, asPage(decide))
  }
}

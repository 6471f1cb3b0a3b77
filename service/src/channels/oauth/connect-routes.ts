import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Adapter } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { readForm, showPage, showRefusal, type Page } from '../../platform/http/form-pages.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import {
  notFromHere,
  type OutsideIdentity,
  type OutsideLogin,
  type OutsideProvider,
} from '../sign-in/sign-in.ts'
import { createMemberConsent, type MemberConsentDeps } from './connect-member.ts'
import { connectFaultPage, consentPage } from './connect-pages.ts'
import { fitsServer } from './create-provider.ts'
import type { ChosenBases } from './connected-tools.ts'
import { finishConsent, grantConsent } from './finish-consent.ts'
import { cameFrom, type MountDeps } from './mount-provider.ts'
import { nodeOf, openInteraction, type Interaction, type OpenInteractionDeps } from './open-interaction.ts'

export interface ConnectRoutesDeps extends OpenInteractionDeps, MemberConsentDeps {
  publicUrl: () => string
  /** Ways to sign in as a reader. */
  outsideProviders: readonly OutsideProvider[]
  /** The opaque id of a reader: nothing of who they are can be read from it. */
  readerIdOf: (identity: OutsideIdentity) => string
  /** Records that outlive a request: of people on their way to a provider, and of those who came back. */
  records: (kind: 'OutsideLogin' | 'OutsideResult') => Adapter
  /** Uses up what a person was asked: false where it was answered before, also at this very moment. */
  useUp: (uid: string) => Promise<boolean>
  /** Counts what keeps a record; the refusal where there was too much from there. */
  takeVisit: MountDeps['takeVisit']
  csrfKey: string
  /** Tells whoever runs the service why signing in did not work. */
  report: (fault: unknown, doing: string) => void
  /** Told of a grant, so that its person can see it and take it back. */
  onConnected: (connected: {
    accountId: string
    /** Of a member, who is signed in here. */
    sessionId: string | undefined
    grantId: string
    serverId: string
    clientId: string
    clientName: string
    redirectHost: string
    resource: string
    chosen: ChosenBases
  }) => Promise<void>
}

const LOGIN_SECONDS = 10 * 60

/** One for each way there: people connect two tools in two tabs. */
const cookieOf = (state: string) =>
  `citewell_outside_${createHash('sha256').update(state).digest('base64url').slice(0, 16)}`

/** Where the address decides what is read. */
const NOTHING_CHOSEN: ChosenBases = { readsAll: false, knowledgeBaseIds: [] }

/** Our own consent page, shown for each tool before anybody is sent on, and the way to a provider and back. */
export function createConnectRoutes(deps: ConnectRoutesDeps) {
  const members = createMemberConsent(deps)
  const csrfOf = (uid: string) =>
    createHmac('sha256', deps.csrfKey).update(`connect ${uid}`).digest('base64url')
  const isCsrf = (uid: string, given: unknown) => {
    const [left, right] = [Buffer.from(csrfOf(uid)), Buffer.from(typeof given === 'string' ? given : '')]
    return left.length === right.length && timingSafeEqual(left, right)
  }

  const opened = (context: Page) => openInteraction(context, deps)

  async function showConsent(context: Page, shown: Interaction) {
    const { interaction, clientName, namedBy, redirectHost, isLoopback, server, signedInAs } = shown
    const consent = {
      clientName,
      namedBy,
      redirectHost,
      isLoopback,
      serverName: server.serverName,
      knowledgeBaseName: server.knowledgeBaseName,
      csrf: csrfOf(interaction.uid),
      providers: signedInAs === undefined ? deps.outsideProviders : [],
    }
    return await showPage(context, consentPage(consent))
  }

  async function finish(
    context: Page,
    shown: Interaction,
    accountId: string,
    { chosen, sessionId }: { chosen: ChosenBases; sessionId?: string } = { chosen: NOTHING_CHOSEN },
  ) {
    const { provider, interaction, server, resource, clientName, redirectHost } = shown
    if (!(await deps.useUp(interaction.uid)))
      throw new Refusal('BAD_REQUEST', { because: 'This page was answered before.' })
    const grantId = await grantConsent(provider, { interaction, accountId, resource })
    const clientId = String(interaction.params['client_id'])
    // Before the tool has its code: a token without this row is good for nothing.
    await deps.onConnected({
      accountId,
      sessionId,
      grantId,
      serverId: server.id,
      clientId,
      clientName,
      redirectHost,
      resource,
      chosen,
    })
    await finishConsent(provider, nodeOf(context), { interaction, accountId, grantId })
    return RESPONSE_ALREADY_SENT
  }

  async function deny(context: Page, { provider }: Interaction) {
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
    setCookie(context, cookieOf(login.state), login.state, {
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
    const isOwn = state !== '' && getCookie(context, cookieOf(state)) === state
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
    const tooMany = await deps.takeVisit(cameFrom(context.env))
    if (tooMany !== undefined) throw tooMany
    const shown = await opened(context)
    const { uid } = shown.interaction
    if (shown.server.signInType !== 'public') {
      const decided = await members.decide(context, shown)
      if (decided instanceof Response) return decided
      if (decided === 'denied') return await deny(context, shown)
      return await finish(context, shown, decided.accountId, decided)
    }
    const form = await readForm(context)
    if (!isCsrf(uid, form['csrf'])) throw notFromHere()
    if (form['decision'] !== 'allow') return await deny(context, shown)
    if (shown.signedInAs !== undefined) return await finish(context, shown, shown.signedInAs)
    return await sendToProvider(context, uid, form['provider'])
  }

  /** Told on a page, with its code; what a provider did wrong is told to whoever runs the service, too. */
  const asPage = (serve: (context: Page) => Promise<Response>) => async (context: Page) => {
    try {
      return await serve(context)
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      if (fault.cause !== undefined) deps.report(fault.cause, 'signing in with a provider')
      return await showRefusal(context, fault, (because) => connectFaultPage(fault.code, because))
    }
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/connect/back/:provider', asPage(comeBack))
    app.get('/connect/:uid/done', asPage(done))
    app.get(
      '/connect/:uid',
      asPage(async (context) => {
        const shown = await opened(context)
        return shown.server.signInType === 'public'
          ? await showConsent(context, shown)
          : await members.show(context, shown)
      }),
    )
    app.post('/connect/:uid', limitForm, asPage(decide))
  }
}

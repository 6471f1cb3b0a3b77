import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Adapter } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { requestSource } from '../../platform/http/request-source.ts'
import { readForm, showPage, showRefusal, type Page } from '../../platform/http/form-pages.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import {
  csrfRefusal,
  requireProvider,
  type ExternalIdentity,
  type ProviderLogin,
  type IdentityProvider,
} from '../sign-in/sign-in.ts'
import { createMemberConsent, type MemberConsentDeps } from './connect-member.ts'
import { connectFaultPage, consentPage } from './connect-pages.ts'
import { isAccountForServer } from './create-provider.ts'
import type { ChosenBases } from './connected-tools.ts'
import { finishConsent, grantConsent } from './store-consent.ts'
import type { MountDeps } from './mount-provider.ts'
import { nodeOf, openInteraction, type Interaction, type OpenInteractionDeps } from './open-interaction.ts'

export interface ConnectRoutesDeps extends OpenInteractionDeps, MemberConsentDeps {
  publicUrl: () => string
  /** Identity providers for readers. */
  identityProviders: readonly IdentityProvider[]
  /** The opaque id of a reader: the identity cannot be derived from it. */
  readerIdOf: (identity: ExternalIdentity) => string
  /** Records that outlive a request: pending logins at a provider, and their results. */
  records: (kind: 'OutsideLogin' | 'OutsideResult') => Adapter
  /** Consumes the interaction: false if it was answered before, also by a concurrent request. */
  consumeInteraction: (uid: string) => Promise<boolean>
  /** Counts a request that stores a record; returns the refusal if a limit is reached. */
  takeVisit: MountDeps['takeVisit']
  csrfKey: string
  /** Reports to the operator why signing in failed. */
  report: (fault: unknown, doing: string) => void
  /** Called for each grant, so that the connection can be listed and revoked. */
  onConnected: (connected: {
    accountId: string
    /** Session of a member. */
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

/** One cookie per pending login: people connect two tools in two tabs. */
const cookieOf = (state: string) =>
  `citewell_outside_${createHash('sha256').update(state).digest('base64url').slice(0, 16)}`

/** Used at servers whose address determines what is read. */
const NOTHING_CHOSEN: ChosenBases = { readsAll: false, knowledgeBaseIds: [] }

/** The consent page, which is shown for each tool before any redirect to a provider; that redirect, and its callback. */
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
      providers: signedInAs === undefined ? deps.identityProviders : [],
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
    if (!(await deps.consumeInteraction(interaction.uid)))
      throw new Refusal('BAD_REQUEST', {
        because: 'This page was answered before. Start again from your tool.',
      })
    const grantId = await grantConsent(provider, { interaction, accountId, resource })
    const clientId = String(interaction.params['client_id'])
    // Before the tool gets its code: a token without this row is not accepted.
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
      { error: 'access_denied', error_description: 'The user did not allow it.' },
      { mergeWithLastSubmission: false },
    )
    return RESPONSE_ALREADY_SENT
  }

  const callbackUrl = (identityProvider: IdentityProvider) =>
    `${deps.publicUrl()}/connect/back/${identityProvider.id}`

  async function sendToProvider(context: Page, uid: string, providerId: unknown) {
    const identityProvider = requireProvider(deps.identityProviders, providerId)
    const { address, login } = await identityProvider.begin(callbackUrl(identityProvider))
    await deps
      .records('OutsideLogin')
      .upsert(login.state, { uid, kind: identityProvider.id, login }, LOGIN_SECONDS)
    // Only now, after the user has consented: a browser that an attacker sends directly to the callback does not have this cookie.
    setCookie(context, cookieOf(login.state), login.state, {
      path: '/connect/back',
      httpOnly: true,
      sameSite: 'Lax',
      secure: deps.publicUrl().startsWith('https:'),
      maxAge: LOGIN_SECONDS,
    })
    return context.redirect(address, 303)
  }

  async function callback(context: Page) {
    const state = context.req.query('state') ?? ''
    const logins = deps.records('OutsideLogin')
    const record = (await logins.find(state)) as
      | { uid: string; kind: string; login: ProviderLogin }
      | undefined
    const identityProvider = deps.identityProviders.find(({ id }) => id === context.req.param('provider'))
    const isOwn = state !== '' && getCookie(context, cookieOf(state)) === state
    if (
      record === undefined ||
      identityProvider === undefined ||
      !isOwn ||
      record.kind !== identityProvider.id
    ) {
      throw new Refusal('BAD_REQUEST', {
        because: 'This sign-in was not started in this browser. Start again from your tool.',
      })
    }
    await logins.destroy(state)
    const cameBackTo = new URL(callbackUrl(identityProvider))
    cameBackTo.search = new URL(context.req.url).search
    const identity = await identityProvider.finish(cameBackTo, record.login)
    const result = { accountId: deps.readerIdOf(identity) }
    await deps.records('OutsideResult').upsert(record.uid, result, LOGIN_SECONDS)
    return context.redirect(`/connect/${record.uid}/done`, 303)
  }

  async function done(context: Page) {
    const shown = await opened(context)
    const results = deps.records('OutsideResult')
    const { accountId } = ((await results.find(shown.interaction.uid)) ?? {}) as { accountId?: string }
    if (accountId === undefined || !isAccountForServer(accountId, shown.server))
      throw new Refusal('BAD_REQUEST', { because: 'You have not signed in yet. Start again from your tool.' })
    await results.destroy(shown.interaction.uid)
    return await finish(context, shown, accountId)
  }

  async function decide(context: Page) {
    const tooMany = await deps.takeVisit(requestSource(context.env.incoming))
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
    if (!isCsrf(uid, form['csrf'])) throw csrfRefusal()
    if (form['decision'] !== 'allow') return await deny(context, shown)
    if (shown.signedInAs !== undefined) return await finish(context, shown, shown.signedInAs)
    return await sendToProvider(context, uid, form['provider'])
  }

  /** Shows refusals on a page, with their code; errors of a provider are also reported to the operator. */
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
    app.get('/connect/back/:provider', asPage(callback))
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

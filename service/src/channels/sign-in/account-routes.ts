import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { AccessTokens } from '../../accounts/access-tokens/access-tokens.ts'
import type { ExternalIdentities } from '../../accounts/external-identities/external-identities.ts'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import type { Sessions } from '../../accounts/sessions/sessions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { readForm, showPage, showRefusal, type Form, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import type { Markup } from '../../platform/http/plain-page.ts'
import { accountPage } from './account-page.ts'
import type { BrowserSessions, SignedInMember } from './browser-sessions.ts'
import type { OutsideProvider } from './outside-provider.ts'
import type { OutsideSignIn } from './outside-sign-in-routes.ts'
import { isOwnForm, notFromHere } from './own-form.ts'
import { TOOLS_STAY } from './form-parts.ts'
import { signInAddress } from './own-path.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface AccountRoutesDeps {
  passwords: Passwords
  identities: ExternalIdentities
  sessions: Pick<Sessions, 'countOf' | 'endAllOf'>
  accessTokens: Pick<AccessTokens, 'countOf'>
  browserSessions: BrowserSessions
  throttle: SignInThrottle
  outsideProviders: readonly OutsideProvider[]
  outsideSignIn: Pick<OutsideSignIn, 'begin'>
  whereFrom: (context: Page) => string
}

/** What was done, by the word in the address; other words say nothing. */
const DONE = new Map<string, Markup>([
  ['password', html`Your password is set. Other browsers are signed out. ${TOOLS_STAY}`],
  [
    'password-by-link',
    html`Your password is set. Other browsers are signed out, AI tools disconnected, access tokens revoked.`,
  ],
  ['linked', html`You can sign in that way from now on.`],
  ['unlinked', html`It is unlinked.`],
  ['joined', html`You have joined the workspace.`],
  ['set-up', html`Your account is set up.`],
])

const revokesTokens = (form: Form): boolean => form['tokens'] === 'revoke'

const sameAddress = (one: string, other: string) =>
  one.replace(/(?<!\/)\/+$/, '') === other.replace(/(?<!\/)\/+$/, '')

/** The page of somebody's own account, and what they do there. */
export function createAccountRoutes(deps: AccountRoutesDeps) {
  const { passwords, identities, sessions, accessTokens, browserSessions, throttle, outsideProviders } = deps

  async function show(context: Page, person: SignedInMember, said: { done?: Markup; refusal?: Refusal }) {
    const [hasPassword, rows, browsers, tokens] = [
      await passwords.has(person.userId),
      await identities.listOf(person.userId),
      await sessions.countOf(person.userId),
      await accessTokens.countOf(person.userId),
    ]
    const providerOf = (issuer: string) =>
      outsideProviders.find((provider) => sameAddress(provider.issuer, issuer))
    const linked = rows.map(({ issuer, email }) => ({
      issuer,
      provider: providerOf(issuer)?.name ?? URL.parse(issuer)?.host ?? issuer,
      email,
    }))
    const offered = outsideProviders.filter(
      (provider) => !rows.some(({ issuer }) => sameAddress(provider.issuer, issuer)),
    )
    const { csrf, email, name } = person
    const facts = { csrf, email, name, hasPassword, linked, offered, browsers, tokens, done: said.done }
    const pageOf = (fault: string | undefined) => accountPage({ ...facts, fault })
    if (said.refusal !== undefined) return await showRefusal(context, said.refusal, pageOf)
    return await showPage(context, pageOf(undefined))
  }

  async function changePassword(context: Page, person: SignedInMember, form: Form): Promise<string> {
    const { email, userId } = person
    const isOwn = await throttle.attempt({
      email,
      from: deps.whereFrom(context),
      // Of this browser alone: what others try elsewhere is no reason to keep somebody from changing their password.
      device: `session ${person.sessionId}`,
      signal: context.req.raw.signal,
      try: async () =>
        (await passwords.isOwn(userId, form['present'] ?? '', { goesFirst: true })) ? true : undefined,
    })
    if (isOwn !== true) throw new Refusal('FORBIDDEN', { because: 'The present password is not right.' })
    await passwords.change(person, form['password'] ?? '', { revokesTokens: revokesTokens(form) })
    await browserSessions.signIn(context, userId)
    return '/account?done=password'
  }

  async function unlink(_context: Page, { userId }: SignedInMember, form: Form): Promise<string> {
    await identities.unlink(userId, form['issuer'] ?? '')
    return '/account?done=unlinked'
  }

  async function signOutEverywhere(context: Page, { userId }: SignedInMember, form: Form): Promise<string> {
    await sessions.endAllOf({ userId, tokenId: null }, { revokesTokens: revokesTokens(form) })
    await browserSessions.signOut(context)
    return `${signInAddress('/account')}&done=everywhere`
  }

  async function link(context: Page, { sessionId }: SignedInMember, form: Form): Promise<Response> {
    return await deps.outsideSignIn.begin(context, form['provider'], { for: 'link', sessionId })
  }

  /** For forms of somebody who is signed in: asks them to sign in first, and refuses what other sites sent. */
  const change =
    (act: (context: Page, person: SignedInMember, form: Form) => Promise<string | Response>) =>
    async (context: Page): Promise<Response> => {
      const person = await browserSessions.personOf(context)
      if (person === undefined) return context.redirect(signInAddress('/account'), 303)
      try {
        const form = await readForm(context)
        if (!isOwnForm(context, person, form)) throw notFromHere()
        const next = await act(context, person, form)
        return typeof next === 'string' ? context.redirect(next, 303) : next
      } catch (refusal) {
        if (refusal instanceof Refusal) return await show(context, person, { refusal })
        throw refusal
      }
    }

  return (app: Hono<HttpEnv>): void => {
    app.get('/account', async (context) => {
      const person = await browserSessions.personOf(context)
      if (person === undefined) return context.redirect(signInAddress('/account'), 303)
      const done = DONE.get(context.req.query('done') ?? '')
      return await show(context, person, done === undefined ? {} : { done })
    })
    app.post('/account/password', limitForm, change(changePassword))
    app.post('/account/link', limitForm, change(link))
    app.post('/account/unlink', limitForm, change(unlink))
    app.post('/account/sign-out-everywhere', limitForm, change(signOutEverywhere))
  }
}

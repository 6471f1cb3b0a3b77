import { lineText } from '@citewell/contract/fields'
import { LIMITS } from '@citewell/contract/limits'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { AccessTokens } from '../../accounts/access-tokens/access-tokens.ts'
import type { ExternalIdentities } from '../../accounts/external-identities/external-identities.ts'
import type { OwnAccount } from '../../accounts/members/members.ts'
import { requireStrongPassword, type Passwords } from '../../accounts/passwords/passwords.ts'
import type { Sessions } from '../../accounts/sessions/sessions.ts'
import { UNNAMED_OWNER, type Workspaces } from '../../accounts/workspaces/workspaces.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { readForm, showPage, showRefusal, type Form, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import type { Markup } from '../../platform/http/plain-page.ts'
import { accountPage } from './account-page.ts'
import type { BrowserSessions, SignedInMember } from './browser-sessions.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { ExternalSignIn } from './external-sign-in-routes.ts'
import { isCsrfValid, csrfRefusal } from './csrf.ts'
import { TOOLS_STAY_CONNECTED } from './form-parts.ts'
import type { OwnPasswordCheck } from './own-password.ts'
import { signInAddress } from './safe-redirect.ts'

export interface AccountRoutesDeps {
  passwords: Passwords
  identities: ExternalIdentities
  sessions: Pick<Sessions, 'countOf' | 'endAllOf'>
  accessTokens: Pick<AccessTokens, 'countOf'>
  workspaces: Pick<Workspaces, 'nameOwner'>
  ownAccount: Pick<OwnAccount, 'rename'>
  browserSessions: BrowserSessions
  isOwnPassword: OwnPasswordCheck
  identityProviders: readonly IdentityProvider[]
  externalSignIn: Pick<ExternalSignIn, 'begin'>
  clientAddressOf: (context: Page) => string
}

/** Messages by the value of the `done` parameter; other values show no message. */
const DONE = new Map<string, Markup>([
  ['name', html`Your name is changed.`],
  ['password', html`Your password is set. Other browsers are signed out. ${TOOLS_STAY_CONNECTED}`],
  [
    'password-by-link',
    html`Your password is set. Other browsers are signed out, AI tools disconnected, access tokens revoked.`,
  ],
  ['linked', html`The account is linked. You can now sign in with it.`],
  ['unlinked', html`The account is unlinked.`],
  ['joined', html`You have joined the workspace.`],
  ['set-up', html`Your account is set up.`],
])

const PersonName = lineText(1, LIMITS.name)

const revokesTokens = (form: Form): boolean => form['tokens'] === 'revoke'

const sameAddress = (one: string, other: string) =>
  one.replace(/(?<!\/)\/+$/, '') === other.replace(/(?<!\/)\/+$/, '')

/** The account page, and its forms. */
export function createAccountRoutes(deps: AccountRoutesDeps) {
  const { passwords, identities, sessions, accessTokens, browserSessions, identityProviders } = deps

  async function show(context: Page, person: SignedInMember, message: { done?: Markup; refusal?: Refusal }) {
    const [hasPassword, rows, browsers, tokens] = [
      await passwords.has(person.userId),
      await identities.listOf(person.userId),
      await sessions.countOf(person.userId),
      await accessTokens.countOf(person.userId),
    ]
    const providerOf = (issuer: string) =>
      identityProviders.find((provider) => sameAddress(provider.issuer, issuer))
    const linked = rows.map(({ issuer, email }) => ({
      issuer,
      provider: providerOf(issuer)?.name ?? URL.parse(issuer)?.host ?? issuer,
      email,
    }))
    const offered = identityProviders.filter(
      (provider) => !rows.some(({ issuer }) => sameAddress(provider.issuer, issuer)),
    )
    const { csrf, email, name } = person
    const needsEmail = email === UNNAMED_OWNER
    const done = message.done
    const facts = { csrf, email, name, hasPassword, needsEmail, linked, offered, browsers, tokens, done }
    const pageOf = (fault: string | undefined) => accountPage({ ...facts, fault })
    if (message.refusal !== undefined) return await showRefusal(context, message.refusal, pageOf)
    return await showPage(context, pageOf(undefined))
  }

  async function changeName(_context: Page, person: SignedInMember, form: Form): Promise<string> {
    const given = PersonName.safeParse(form['name'] ?? '')
    if (!given.success) {
      const because = `Your name ${given.error.issues[0]?.message ?? 'is no text'}.`
      throw new Refusal('BAD_REQUEST', { because })
    }
    await deps.ownAccount.rename(person, given.data)
    return '/account?done=name'
  }

  async function changePassword(context: Page, person: SignedInMember, form: Form): Promise<string> {
    const { email, userId } = person
    const isOwn = await deps.isOwnPassword({
      userId,
      email,
      password: form['present'] ?? '',
      from: deps.clientAddressOf(context),
      sessionId: person.sessionId,
      signal: context.req.raw.signal,
    })
    if (!isOwn) throw new Refusal('FORBIDDEN', { because: 'The current password is wrong.' })
    const own = await nameFirstOwner(person, form)
    const proof = await passwords.change({ ...person, email: own }, form['password'] ?? '', {
      revokesTokens: revokesTokens(form),
    })
    // With the new password, which a link that recovers the account may have replaced by now.
    await browserSessions.signIn(context, userId, proof)
    return '/account?done=password'
  }

  /** Stores the address that the first owner gives with their first password. Returns the address of the account. */
  async function nameFirstOwner({ userId, email }: SignedInMember, form: Form): Promise<string> {
    if (email !== UNNAMED_OWNER || form['email'] === undefined) return email
    const given = z.email().safeParse(form['email'].trim()).data
    if (given === undefined) throw new Refusal('BAD_REQUEST', { because: 'Enter your e-mail address.' })
    requireStrongPassword(form['password'] ?? '', given)
    await deps.workspaces.nameOwner(userId, given)
    return given
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
    return await deps.externalSignIn.begin(context, form['provider'], { for: 'link', sessionId })
  }

  /** Wraps the handler of an account form: redirects to the sign-in page if nobody is signed in, and checks the CSRF token. */
  const change =
    (act: (context: Page, person: SignedInMember, form: Form) => Promise<string | Response>) =>
    async (context: Page): Promise<Response> => {
      const person = await browserSessions.personOf(context)
      if (person === undefined) return context.redirect(signInAddress('/account'), 303)
      try {
        const form = await readForm(context)
        if (!isCsrfValid(context, person, form)) throw csrfRefusal()
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
    app.post('/account/name', limitForm, change(changeName))
    app.post('/account/password', limitForm, change(changePassword))
    app.post('/account/link', limitForm, change(link))
    app.post('/account/unlink', limitForm, change(unlink))
    app.post('/account/sign-out-everywhere', limitForm, change(signOutEverywhere))
  }
}

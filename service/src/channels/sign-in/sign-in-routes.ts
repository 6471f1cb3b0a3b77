import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import { Refusal } from '../../kernel/refusal.ts'
import {
  asPage,
  runFormAction,
  readForm,
  showPage,
  showRefusal,
  type Form,
  type Page,
} from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import type { Markup } from '../../platform/http/plain-page.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { TOOLS_STAY_CONNECTED } from './form-parts.ts'
import type { AnonymousCsrf } from './anonymous-csrf.ts'
import type { KnownDevices } from './known-devices.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { isCsrfValid, csrfRefusal } from './csrf.ts'
import { safeRedirect, signInAddress } from './safe-redirect.ts'
import { signInFaultPage, signInPage, signOutPage } from './sign-in-page.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface SignInRoutesDeps {
  passwords: Pick<Passwords, 'personOf'>
  browserSessions: BrowserSessions
  anonymousCsrf: AnonymousCsrf
  throttle: SignInThrottle
  knownDevices: Pick<KnownDevices, 'deviceFor'>
  identityProviders: readonly IdentityProvider[]
  /** The client address of a request; empty if it is unknown. */
  clientAddressOf: (context: Page) => string
}

/** Messages by the value of the `done` parameter; other values show no message. */
const DONE = new Map<string, Markup>([
  ['everywhere', html`You are signed out everywhere. ${TOOLS_STAY_CONNECTED}`],
  ['account-deleted', html`Your account is deleted. Your name and e-mail address are deleted in 30 days.`],
])

/** The same for an unknown e-mail and for a wrong password. */
const wrong = () => new Refusal('UNAUTHENTICATED', { because: 'The e-mail or the password is wrong.' })

/** Signing in with e-mail and password, and signing out. */
export function createSignInRoutes(deps: SignInRoutesDeps) {
  const {
    passwords,
    browserSessions,
    anonymousCsrf,
    throttle,
    knownDevices,
    identityProviders,
    clientAddressOf,
  } = deps

  const pageFor = (context: Page, form: Form) => (fault: string | undefined) =>
    signInPage({
      csrf: anonymousCsrf.csrfFor(context),
      to: safeRedirect(form['to']),
      email: form['email'] ?? '',
      fault,
      done: DONE.get(form['done'] ?? ''),
      providers: identityProviders,
    })

  async function signIn(context: Page, form: Form): Promise<Response> {
    if (!anonymousCsrf.isValid(context, form)) throw csrfRefusal()
    const { email = '', password = '' } = form
    const device = await knownDevices.deviceFor(context, email)
    const person = await throttle.attempt({
      email,
      from: clientAddressOf(context),
      device,
      signal: context.req.raw.signal,
      try: async () => await passwords.personOf(email, password, { goesFirst: device !== undefined }),
    })
    if (person === undefined) throw wrong()
    await browserSessions.signIn(context, person.userId, { passwordHash: person.hash })
    return context.redirect(safeRedirect(form['to']), 303)
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/sign-in', async (context) => {
      const to = safeRedirect(context.req.query('to'))
      if ((await browserSessions.personOf(context)) !== undefined) return context.redirect(to, 303)
      const { done = '' } = context.req.query()
      return await showPage(context, pageFor(context, { to, done })(undefined))
    })
    const take = async (context: Page) => {
      const form = await readForm(context)
      return await runFormAction(context, pageFor(context, form), async () => await signIn(context, form))
    }
    app.post('/sign-in', limitForm, asPage(take, signInFaultPage))
    app.get('/sign-out', async (context) => {
      const person = await browserSessions.personOf(context)
      if (person === undefined) return context.redirect(signInAddress('/account'), 303)
      return await showPage(context, signOutPage(person.csrf, person.email))
    })
    const signOut = async (context: Page) => {
      const person = await browserSessions.personOf(context)
      if (person !== undefined) {
        if (!isCsrfValid(context, person, await readForm(context)))
          return await showRefusal(context, csrfRefusal(), () => signOutPage(person.csrf, person.email))
        await browserSessions.signOut(context)
      }
      return context.redirect(signInAddress('/account'), 303)
    }
    app.post('/sign-out', limitForm, asPage(signOut, signInFaultPage))
  }
}

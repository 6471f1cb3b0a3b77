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
import type { BrowserSessions } from './browser-sessions.ts'
import { TOOLS_STAY } from './form-parts.ts'
import type { GuestForms } from './guest-forms.ts'
import type { KnownDevices } from './known-devices.ts'
import type { OutsideProvider } from './outside-provider.ts'
import { isOwnForm, notFromHere } from './own-form.ts'
import { ownPath, signInAddress } from './own-path.ts'
import { signInFaultPage, signInPage, signOutPage } from './sign-in-page.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface SignInRoutesDeps {
  passwords: Pick<Passwords, 'personOf'>
  browserSessions: BrowserSessions
  guestForms: GuestForms
  throttle: SignInThrottle
  knownDevices: Pick<KnownDevices, 'deviceFor'>
  outsideProviders: readonly OutsideProvider[]
  /** The address that a request came from; empty where nobody can be told apart. */
  whereFrom: (context: Page) => string
}

const SIGNED_OUT = html`You are signed out everywhere. ${TOOLS_STAY}`

/** The same for an e-mail that nobody has and for a wrong password. */
const wrong = () => new Refusal('UNAUTHENTICATED', { because: 'The e-mail or the password is not right.' })

/** Signing in with e-mail and password, and out. */
export function createSignInRoutes(deps: SignInRoutesDeps) {
  const { passwords, browserSessions, guestForms, throttle, knownDevices, outsideProviders, whereFrom } = deps

  const pageFor = (context: Page, form: Form) => (fault: string | undefined) =>
    signInPage({
      csrf: guestForms.csrfFor(context),
      to: ownPath(form['to']),
      email: form['email'] ?? '',
      fault,
      done: form['done'] === 'everywhere' ? SIGNED_OUT : undefined,
      providers: outsideProviders,
    })

  async function signIn(context: Page, form: Form): Promise<Response> {
    if (!guestForms.isOwn(context, form)) throw notFromHere()
    const { email = '', password = '' } = form
    const device = await knownDevices.deviceFor(context, email)
    const person = await throttle.attempt({
      email,
      from: whereFrom(context),
      device,
      signal: context.req.raw.signal,
      try: async () => await passwords.personOf(email, password, { goesFirst: device !== undefined }),
    })
    if (person === undefined) throw wrong()
    await browserSessions.signIn(context, person.userId, { passwordHash: person.hash })
    return context.redirect(ownPath(form['to']), 303)
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/sign-in', async (context) => {
      const to = ownPath(context.req.query('to'))
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
        if (!isOwnForm(context, person, await readForm(context))) {
          return await showRefusal(context, notFromHere(), () => signOutPage(person.csrf, person.email))
        }
        await browserSessions.signOut(context)
      }
      return context.redirect(signInAddress('/account'), 303)
    }
    app.post('/sign-out', limitForm, asPage(signOut, signInFaultPage))
  }
}

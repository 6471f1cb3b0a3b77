import type { Hono } from 'hono'
import type { ExternalIdentities } from '../../accounts/external-identities/external-identities.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { asPage, readForm, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import type { GuestForms } from './guest-forms.ts'
import type { OutsideIdentity, OutsideProvider } from './outside-provider.ts'
import { notFromHere } from './own-form.ts'
import { ownPath } from './own-path.ts'
import type { Intent, PendingLogins } from './pending-login.ts'
import { signInFaultPage } from './sign-in-page.ts'

export interface OutsideSignInDeps {
  outsideProviders: readonly OutsideProvider[]
  pendingLogins: PendingLogins
  browserSessions: BrowserSessions
  guestForms: GuestForms
  identities: ExternalIdentities
  /** Makes the invited person a member who signs in with this identity. Returns who it is. */
  acceptInvitation: (code: string, identity: OutsideIdentity) => Promise<string>
  /** Makes the first owner somebody who signs in with this identity. Returns who it is. */
  setUp: (code: string, identity: OutsideIdentity) => Promise<string>
  publicUrl: () => string
  /** Tells whoever runs the service why signing in did not work. */
  report: (fault: unknown, doing: string) => void
}

/** Signing in, or accepting an invitation, with an account at a provider: the way there, and the way back. */
export function createOutsideSignIn(deps: OutsideSignInDeps) {
  const { outsideProviders, pendingLogins, browserSessions, guestForms, identities, publicUrl } = deps
  const wayBack = (providerId: string) => `${publicUrl()}/sign-in/back/${providerId}`

  /** Sends a browser to the provider that was chosen. The form that asks for it was checked before. */
  async function begin(context: Page, providerId: string | undefined, intent: Intent): Promise<Response> {
    const outside = outsideProviders.find(({ id }) => id === providerId)
    if (outside === undefined) {
      throw new Refusal('BAD_REQUEST', { because: 'Choose one of the ways to sign in.' })
    }
    const { address, login } = await outside.begin(wayBack(outside.id), { wantsEmail: true })
    pendingLogins.keep(context, { providerId: outside.id, login, intent })
    return context.redirect(address, 303)
  }

  async function comeBack(context: Page): Promise<Response> {
    const pending = pendingLogins.take(context, context.req.query('state') ?? '')
    const outside = outsideProviders.find(({ id }) => id === context.req.param('provider'))
    if (pending === undefined || outside === undefined || pending.providerId !== outside.id) {
      throw new Refusal('BAD_REQUEST', {
        because: 'This browser did not ask to sign in, or took too long. Please start again.',
      })
    }
    const cameBackTo = new URL(wayBack(outside.id))
    cameBackTo.search = new URL(context.req.url).search
    const identity = await outside.finish(cameBackTo, pending.login)
    return context.redirect(await finish(context, pending.intent, identity), 303)
  }

  /** Does what the person went for. Returns where they go on. */
  async function finish(context: Page, intent: Intent, identity: OutsideIdentity): Promise<string> {
    switch (intent.for) {
      case 'sign-in': {
        await browserSessions.signIn(context, await identities.personOf(identity), identity)
        return ownPath(intent.to)
      }
      case 'link': {
        const person = await browserSessions.personOf(context)
        if (person?.sessionId !== intent.sessionId) {
          throw new Refusal('FORBIDDEN', { because: 'You are not signed in any more as who began this.' })
        }
        await identities.link(person, identity)
        return '/account?done=linked'
      }
      case 'invitation': {
        await browserSessions.signIn(context, await deps.acceptInvitation(intent.code, identity))
        return '/account?done=joined'
      }
      case 'setup': {
        await browserSessions.signIn(context, await deps.setUp(intent.code, identity))
        return '/account?done=set-up'
      }
    }
  }

  const told = (serve: (context: Page) => Promise<Response>) =>
    asPage(async (context) => {
      try {
        return await serve(context)
      } catch (fault) {
        if (fault instanceof Refusal && fault.cause !== undefined) {
          deps.report(fault.cause, 'signing in with a provider')
        }
        throw fault
      }
    }, signInFaultPage)

  const pages = (app: Hono<HttpEnv>): void => {
    app.post(
      '/sign-in/with',
      limitForm,
      told(async (context) => {
        const form = await readForm(context)
        if (!guestForms.isOwn(context, form)) throw notFromHere()
        return await begin(context, form['provider'], { for: 'sign-in', to: ownPath(form['to']) })
      }),
    )
    app.get('/sign-in/back/:provider', told(comeBack))
  }

  return { begin, pages }
}

export type OutsideSignIn = ReturnType<typeof createOutsideSignIn>

import type { Hono } from 'hono'
import type { ExternalIdentities } from '../../accounts/external-identities/external-identities.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { asPage, readForm, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import type { AnonymousCsrf } from './anonymous-csrf.ts'
import { requireProvider, type ExternalIdentity, type IdentityProvider } from './identity-provider.ts'
import { csrfRefusal } from './csrf.ts'
import { safeRedirect } from './safe-redirect.ts'
import type { Intent, PendingLogins } from './pending-login.ts'
import { signInFaultPage } from './sign-in-page.ts'

export interface ExternalSignInDeps {
  identityProviders: readonly IdentityProvider[]
  pendingLogins: PendingLogins
  browserSessions: BrowserSessions
  anonymousCsrf: AnonymousCsrf
  identities: ExternalIdentities
  /** Makes the invited person a member who signs in with this identity. Returns the id of the user. */
  acceptInvitation: (code: string, identity: ExternalIdentity) => Promise<string>
  /** Makes the first owner, who signs in with this identity. Returns the id of the user. */
  setUp: (code: string, identity: ExternalIdentity) => Promise<string>
  publicUrl: () => string
  /** Reports to the operator why signing in failed. */
  report: (fault: unknown, doing: string) => void
}

/** Signing in, or accepting an invitation, with an account at an identity provider: the redirect there, and the callback. */
export function createExternalSignIn(deps: ExternalSignInDeps) {
  const { identityProviders, pendingLogins, browserSessions, anonymousCsrf, identities, publicUrl } = deps
  const callbackUrl = (providerId: string) => `${publicUrl()}/sign-in/back/${providerId}`

  /** Redirects a browser to the chosen provider. The caller has checked the CSRF token of the form. */
  async function begin(context: Page, providerId: string | undefined, intent: Intent): Promise<Response> {
    const identityProvider = requireProvider(identityProviders, providerId)
    const { address, login } = await identityProvider.begin(callbackUrl(identityProvider.id), {
      wantsEmail: true,
    })
    pendingLogins.keep(context, { providerId: identityProvider.id, login, intent })
    return context.redirect(address, 303)
  }

  async function callback(context: Page): Promise<Response> {
    const pending = pendingLogins.take(context, context.req.query('state') ?? '')
    const identityProvider = identityProviders.find(({ id }) => id === context.req.param('provider'))
    if (
      pending === undefined ||
      identityProvider === undefined ||
      pending.providerId !== identityProvider.id
    ) {
      throw new Refusal('BAD_REQUEST', {
        because: 'This sign-in was not started in this browser, or took too long. Please start again.',
      })
    }
    const cameBackTo = new URL(callbackUrl(identityProvider.id))
    cameBackTo.search = new URL(context.req.url).search
    const identity = await identityProvider.finish(cameBackTo, pending.login)
    return context.redirect(await finish(context, pending.intent, identity), 303)
  }

  /** Completes what the person went to the provider for. Returns the path to redirect to. */
  async function finish(context: Page, intent: Intent, identity: ExternalIdentity): Promise<string> {
    switch (intent.for) {
      case 'sign-in': {
        await browserSessions.signIn(context, await identities.personOf(identity), identity)
        return safeRedirect(intent.to)
      }
      case 'link': {
        const person = await browserSessions.personOf(context)
        if (person?.sessionId !== intent.sessionId)
          throw new Refusal('FORBIDDEN', {
            because: 'You are no longer signed in to the account that started this. Sign in and try again.',
          })
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

  const reported = (serve: (context: Page) => Promise<Response>) =>
    asPage(async (context) => {
      try {
        return await serve(context)
      } catch (fault) {
        if (fault instanceof Refusal && fault.cause !== undefined)
          deps.report(fault.cause, 'signing in with a provider')
        throw fault
      }
    }, signInFaultPage)

  const pages = (app: Hono<HttpEnv>): void => {
    app.post(
      '/sign-in/with',
      limitForm,
      reported(async (context) => {
        const form = await readForm(context)
        if (!anonymousCsrf.isValid(context, form)) throw csrfRefusal()
        return await begin(context, form['provider'], { for: 'sign-in', to: safeRedirect(form['to']) })
      }),
    )
    app.get('/sign-in/back/:provider', reported(callback))
  }

  return { begin, pages }
}

export type ExternalSignIn = ReturnType<typeof createExternalSignIn>

import type { Hono } from 'hono'
import type { Invitations, OpenInvitation } from '../../accounts/members/members.ts'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import { putPassword } from '../../accounts/passwords/passwords.ts'
import {
  asPage,
  runFormAction,
  readForm,
  showPage,
  type Form,
  type Page,
} from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import {
  csrfRefusal,
  type BrowserSessions,
  type AnonymousCsrf,
  type IdentityProvider,
  type ExternalSignIn,
  type SignedInMember,
} from '../sign-in/sign-in.ts'
import { joinedPage, knownPersonPage, lapsedPage, newPersonPage } from './invitation-page.ts'
import { tokenPage } from './setup-page.ts'

export interface InvitationRoutesDeps {
  invitations: Invitations
  passwords: Pick<Passwords, 'hashOfNew'>
  browserSessions: BrowserSessions
  anonymousCsrf: AnonymousCsrf
  externalSignIn: Pick<ExternalSignIn, 'begin'>
  identityProviders: readonly IdentityProvider[]
  now: () => Date
  /** Public URL for the examples on the page. */
  publicUrl: () => string
}

/** The page behind an invitation. As with the set-up link, opening it does not use it up. */
export function createInvitationRoutes(deps: InvitationRoutesDeps) {
  const { invitations, passwords, browserSessions, anonymousCsrf, externalSignIn, identityProviders } = deps

  /** The invited person, if this browser is signed in to their account. */
  async function signedIn(context: Page, open: OpenInvitation): Promise<SignedInMember | undefined> {
    const person = await browserSessions.personOf(context)
    return person?.userId === open.userId ? person : undefined
  }

  async function pageFor(context: Page, code: string, open: OpenInvitation) {
    const isSignedIn = (await signedIn(context, open)) !== undefined
    const { email, workspaceName } = open
    const csrf = anonymousCsrf.csrfFor(context)
    return (fault: string | undefined) => {
      const page = { csrf, code, email, workspaceName, fault }
      return open.isKnown ? knownPersonPage(page, isSignedIn) : newPersonPage(page, identityProviders)
    }
  }

  async function show(context: Page): Promise<Response> {
    const code = context.req.query('code') ?? ''
    const page = await pageFor(context, code, await invitations.open(code))
    return await showPage(context, page(undefined))
  }

  async function joinAsKnown(
    context: Page,
    code: string,
    open: OpenInvitation,
    form: Form,
  ): Promise<Response> {
    const person = await signedIn(context, open)
    const ownToken = (form['access_token'] ?? '').trim()
    const proof = person ?? (ownToken === '' ? undefined : { ownToken })
    await invitations.claim({ code, ...(proof !== undefined && { proof }) })
    if (person !== undefined) return context.redirect('/account?done=joined', 303)
    return await showPage(context, joinedPage())
  }

  async function joinWithPassword(context: Page, code: string, open: OpenInvitation, password: string) {
    const hash = await passwords.hashOfNew(password, open.email)
    const { userId } = await invitations.claim({
      code,
      storeSignInMethod: async (transaction, invited) =>
        await putPassword(transaction, { userId: invited, hash, now: deps.now() }),
    })
    await browserSessions.signIn(context, userId)
    return context.redirect('/account?done=joined', 303)
  }

  async function join(context: Page): Promise<Response> {
    const form = await readForm(context)
    const { code = '', provider, password } = form
    const open = await invitations.open(code)
    const formAgain = async (because: string) => (await pageFor(context, code, open))(because)
    return await runFormAction(context, formAgain, async () => {
      if (!anonymousCsrf.isValid(context, form)) throw csrfRefusal()
      if (open.isKnown) return await joinAsKnown(context, code, open, form)
      if (provider !== undefined)
        return await externalSignIn.begin(context, provider, { for: 'invitation', code })
      if (password !== undefined) return await joinWithPassword(context, code, open, password)
      const { token } = await invitations.claim({ code })
      return await showPage(
        context,
        token === undefined ? joinedPage() : tokenPage(token, deps.publicUrl(), false),
      )
    })
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/invitation', asPage(show, lapsedPage))
    app.post('/invitation', limitForm, asPage(join, lapsedPage))
  }
}

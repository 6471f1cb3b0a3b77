import type { Hono } from 'hono'
import { z } from 'zod'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import { putPassword } from '../../accounts/passwords/passwords.ts'
import { lapsedSetupCode, type Workspaces } from '../../accounts/workspaces/workspaces.ts'
import { Refusal } from '../../kernel/refusal.ts'
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
} from '../sign-in/sign-in.ts'
import { setupPage, tokenPage, usedPage } from './setup-page.ts'

export interface SetupRoutesDeps {
  workspaces: Pick<Workspaces, 'claimSetupCode' | 'openWithSetupCode' | 'isOpenSetupCode'>
  passwords: Pick<Passwords, 'hashOfNew'>
  browserSessions: Pick<BrowserSessions, 'signIn'>
  anonymousCsrf: AnonymousCsrf
  externalSignIn: Pick<ExternalSignIn, 'begin'>
  identityProviders: readonly IdentityProvider[]
  now: () => Date
  /** Public URL for the examples on the page. */
  publicUrl: () => string
}

/** Where the owner begins. */
const FIRST_SCREEN = '/start'

/**
 * The page behind the set-up link. Opening it does not use it up, because mail scanners and link previews follow links; submitting the
 * form does.
 */
export function createSetupRoutes(deps: SetupRoutesDeps) {
  const { workspaces, passwords, browserSessions, anonymousCsrf, externalSignIn, identityProviders } = deps

  const pageFor = (context: Page, form: Form) => (fault: string | undefined) =>
    setupPage({
      csrf: anonymousCsrf.csrfFor(context),
      code: form['code'] ?? '',
      email: form['email'] ?? '',
      fault,
      providers: identityProviders,
    })

  async function show(context: Page): Promise<Response> {
    const code = context.req.query('code') ?? ''
    if (!(await workspaces.isOpenSetupCode(code))) throw lapsedSetupCode()
    return await showPage(context, pageFor(context, { code })(undefined))
  }

  /** Creates the owner's account with an e-mail and a password. */
  async function makeAccount(context: Page, code: string, form: Form): Promise<Response> {
    const email = z.email().safeParse((form['email'] ?? '').trim()).data
    if (email === undefined) throw new Refusal('BAD_REQUEST', { because: 'Enter your e-mail address.' })
    const hash = await passwords.hashOfNew(form['password'] ?? '', email)
    const { token, userId } = await workspaces.claimSetupCode(code, {
      email,
      keep: async (transaction, owner) =>
        await putPassword(transaction, { userId: owner, hash, now: deps.now() }),
    })
    await browserSessions.signIn(context, userId)
    return await showPage(context, tokenPage(token, deps.publicUrl(), true))
  }

  /** Signs the owner in, with nothing to fill in. */
  async function openDashboard(context: Page, code: string): Promise<Response> {
    const { userId } = await workspaces.openWithSetupCode(code)
    await browserSessions.signIn(context, userId)
    return context.redirect(FIRST_SCREEN, 303)
  }

  async function setUp(context: Page): Promise<Response> {
    const form = await readForm(context)
    const { code = '', provider, opens } = form
    if (!(await workspaces.isOpenSetupCode(code))) throw lapsedSetupCode()
    return await runFormAction(context, pageFor(context, form), async () => {
      if (!anonymousCsrf.isValid(context, form)) throw csrfRefusal()
      if (provider !== undefined) return await externalSignIn.begin(context, provider, { for: 'setup', code })
      if (opens !== undefined) return await openDashboard(context, code)
      if (form['password'] !== undefined) return await makeAccount(context, code, form)
      const { token } = await workspaces.claimSetupCode(code)
      return await showPage(context, tokenPage(token, deps.publicUrl(), false))
    })
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/setup', asPage(show, usedPage))
    app.post('/setup', limitForm, asPage(setUp, usedPage))
  }
}

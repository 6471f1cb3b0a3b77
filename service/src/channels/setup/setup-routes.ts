import type { Hono } from 'hono'
import { z } from 'zod'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import { putPassword } from '../../accounts/passwords/passwords.ts'
import type { Workspaces } from '../../accounts/workspaces/workspaces.ts'
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
  notFromHere,
  type BrowserSessions,
  type GuestForms,
  type OutsideProvider,
  type OutsideSignIn,
} from '../sign-in/sign-in.ts'
import { setupPage, tokenPage, usedPage } from './setup-page.ts'

export interface SetupRoutesDeps {
  workspaces: Pick<Workspaces, 'claimSetupCode' | 'isOpenSetupCode'>
  passwords: Pick<Passwords, 'hashOfNew'>
  browserSessions: Pick<BrowserSessions, 'signIn'>
  guestForms: GuestForms
  outsideSignIn: Pick<OutsideSignIn, 'begin'>
  outsideProviders: readonly OutsideProvider[]
  now: () => Date
  /** The address that the page's examples name. */
  publicUrl: () => string
}

const lapsed = () =>
  new Refusal('NOT_FOUND', {
    because:
      'This set-up link was used already or has expired. A restart prints a new one while none was used.',
  })

/**
 * The page behind the set-up link. Opening it does nothing yet: a mail scanner or a preview that follows the link must
 * not use it up. The button does.
 */
export function createSetupRoutes(deps: SetupRoutesDeps) {
  const { workspaces, passwords, browserSessions, guestForms, outsideSignIn, outsideProviders } = deps

  const pageFor = (context: Page, form: Form) => (fault: string | undefined) =>
    setupPage({
      csrf: guestForms.csrfFor(context),
      code: form['code'] ?? '',
      email: form['email'] ?? '',
      fault,
      providers: outsideProviders,
    })

  async function show(context: Page): Promise<Response> {
    const code = context.req.query('code') ?? ''
    if (!(await workspaces.isOpenSetupCode(code))) throw lapsed()
    return await showPage(context, pageFor(context, { code })(undefined))
  }

  /** Makes the owner's account with an e-mail and a password. */
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

  async function setUp(context: Page): Promise<Response> {
    const form = await readForm(context)
    const { code = '', provider } = form
    if (!(await workspaces.isOpenSetupCode(code))) throw lapsed()
    return await runFormAction(context, pageFor(context, form), async () => {
      if (!guestForms.isOwn(context, form)) throw notFromHere()
      if (provider !== undefined) return await outsideSignIn.begin(context, provider, { for: 'setup', code })
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

import type { Hono } from 'hono'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import { asPage, runFormAction, readForm, showPage, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import type { AnonymousCsrf } from './anonymous-csrf.ts'
import { csrfRefusal } from './csrf.ts'
import { passwordLinkPage } from './password-link-page.ts'
import { signInFaultPage } from './sign-in-page.ts'

export interface PasswordLinkRoutesDeps {
  passwords: Pick<Passwords, 'openLink' | 'setByLink'>
  browserSessions: BrowserSessions
  anonymousCsrf: AnonymousCsrf
}

/** The page behind a link for setting a password. Opening it does not use the link up; submitting the form does. */
export function createPasswordLinkRoutes({
  passwords,
  browserSessions,
  anonymousCsrf,
}: PasswordLinkRoutesDeps) {
  async function set(context: Page): Promise<Response> {
    const form = await readForm(context)
    const { code = '', password = '' } = form
    const { email } = await passwords.openLink(code)
    const formAgain = (because: string) =>
      passwordLinkPage({ csrf: anonymousCsrf.csrfFor(context), code, email, fault: because })
    return await runFormAction(context, formAgain, async () => {
      if (!anonymousCsrf.isValid(context, form)) throw csrfRefusal()
      await browserSessions.signIn(context, await passwords.setByLink(code, password))
      return context.redirect('/account?done=password-by-link', 303)
    })
  }

  async function show(context: Page): Promise<Response> {
    const code = context.req.query('code') ?? ''
    const { email } = await passwords.openLink(code)
    const csrf = anonymousCsrf.csrfFor(context)
    return await showPage(context, passwordLinkPage({ csrf, code, email, fault: undefined }))
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/set-password', asPage(show, signInFaultPage))
    app.post('/set-password', limitForm, asPage(set, signInFaultPage))
  }
}

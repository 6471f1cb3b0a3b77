import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { codeFields, faultLine, newPasswordField } from './form-parts.ts'

export const passwordLinkPage = (page: {
  csrf: string
  code: string
  email: string
  fault: string | undefined
}): Markup =>
  plainPage(
    'Set your password',
    html`<h1>Set your password</h1>
      <p>For the account of <strong>${page.email}</strong>.</p>
      ${faultLine(page.fault)}
      <form method="post" action="/set-password">
        ${codeFields(page)} ${newPasswordField(page.email)}
        <button>Set password and sign in</button>
      </form>
      <p class="quiet below">
        Every browser that is signed in as you is signed out, AI tools are disconnected, and access tokens are
        revoked.
      </p>`,
  )

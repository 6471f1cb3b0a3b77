import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { csrfField, doneLine, faultLine, providerButtons, type ProviderButton } from './form-parts.ts'

export interface SignInPage {
  csrf: string
  /** The path to redirect to after signing in. */
  to: string
  email: string
  fault: string | undefined
  /** Message about what was done on the page before. */
  done: Markup | undefined
  providers: readonly ProviderButton[]
}

export function signInPage({ csrf, to, email, fault, done, providers }: SignInPage): Markup {
  const fields = html`${csrfField(csrf)}<input type="hidden" name="to" value="${to}" />`
  return plainPage(
    'Sign in',
    html`<h1>Sign in</h1>
      ${faultLine(fault)}${doneLine(done)}
      <form method="post" action="/sign-in">
        ${fields}
        <label
          >E-mail <input name="email" type="email" value="${email}" autocomplete="username" required
        /></label>
        <label
          >Password <input name="password" type="password" autocomplete="current-password" required
        /></label>
        <button>Sign in</button>
      </form>
      ${providerButtons(providers, {
        action: '/sign-in/with',
        fields,
        says: (name) => `Sign in with ${name}`,
      })}
      <p class="quiet below">
        Accounts are created by invitation. If you have forgotten your password, ask the operator of this
        service for a link to set a new one.
      </p>`,
  )
}

export const signOutPage = (csrf: string, email: string): Markup =>
  plainPage(
    'Sign out',
    html`<h1>Sign out?</h1>
      <p>You are signed in as ${email}.</p>
      <form method="post" action="/sign-out">${csrfField(csrf)}<button>Sign out</button></form>
      <p class="below"><a href="/account">Back to your account</a></p>`,
  )

export const signInFaultPage = (because: string): Markup =>
  plainPage(
    'That did not work',
    html`<h1>That did not work</h1>
      <p role="alert">${because}</p>
      <p class="below"><a href="/sign-in">Go to the sign-in page</a></p>`,
  )

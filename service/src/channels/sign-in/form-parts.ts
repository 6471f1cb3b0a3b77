import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'

const NOTHING: Markup = html``

/** The error, above the form; screen readers announce it immediately. */
export const faultLine = (fault: string | undefined): Markup =>
  fault === undefined ? NOTHING : html`<p class="fault" role="alert">${fault}</p>`

export const doneLine = (done: Markup | undefined): Markup =>
  done === undefined ? NOTHING : html`<p class="done" role="status">${done}</p>`

/** Signing browsers out leaves the AI tools of the member connected. */
export const TOOLS_STAY_CONNECTED: Markup = html`AI tools stay connected:
  <a href="/account/connected-tools">see connected tools</a>.`

/** Offered wherever browsers are signed out: scripts may hold tokens too, and not all of them need to be the member's own. */
export const revokeTokensField = (tokens: number): Markup =>
  tokens === 0
    ? NOTHING
    : html`<label class="check"
        ><input type="checkbox" name="tokens" value="revoke" />
        <span
          >Also revoke ${tokens === 1 ? 'my access token' : `my ${tokens} access tokens`}: scripts that use
          ${tokens === 1 ? 'it' : 'them'} stop</span
        ></label
      >`

export const csrfField = (csrf: string): Markup => html`<input type="hidden" name="csrf" value="${csrf}" />`

/** The hidden fields of a form behind a link that works once: its CSRF token, and the code of the link. */
export const codeFields = ({ csrf, code }: { csrf: string; code: string }): Markup =>
  html`${csrfField(csrf)}<input type="hidden" name="code" value="${code}" />`

const PASSWORD_HINT = 'At least 12 characters. A few words in a row are easy to remember.'

/** `username`: tells password managers whose password they store. */
export const newPasswordField = (username: string | undefined, label = 'Password'): Markup =>
  html`${
      username === undefined
        ? ''
        : html`<input
            type="text"
            name="username"
            value="${username}"
            autocomplete="username"
            hidden
            readonly
          />`
    }<label
      >${label}
      <input
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="12"
        required
        aria-describedby="password-hint"
    /></label>
    <p class="hint" id="password-hint">${PASSWORD_HINT}</p>`

/** A sign-in button of an identity provider. */
export interface ProviderButton {
  id: string
  name: string
}

/** Buttons that lead to the identity providers, below the form; nothing if none is configured. */
export const providerButtons = (
  providers: readonly ProviderButton[],
  given: { action: string; fields: Markup; says: (name: string) => string },
): Markup =>
  providers.length === 0
    ? NOTHING
    : html`<p class="or"><span>or</span></p>
        ${providers.map(
          ({ id, name }) =>
            html`<form method="post" action="${given.action}">
              ${given.fields}<input type="hidden" name="provider" value="${id}" />
              <button class="second">${given.says(name)}</button>
            </form>`,
        )}`

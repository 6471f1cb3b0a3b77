import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'

const NOTHING: Markup = html``

/** Why it did not work, above the form; read out at once. */
export const faultLine = (fault: string | undefined): Markup =>
  fault === undefined ? NOTHING : html`<p class="fault" role="alert">${fault}</p>`

export const doneLine = (done: Markup | undefined): Markup =>
  done === undefined ? NOTHING : html`<p class="done" role="status">${done}</p>`

/** What signs browsers out leaves the tools of the same person as they are. */
export const TOOLS_STAY: Markup = html`AI tools stay connected:
  <a href="/account/connected-tools">look at them</a>.`

/** Offered where browsers are signed out: programs may hold tokens, too, and not all of them may be the person's own. */
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

const PASSWORD_HINT = '12 characters or more. A few words in a row are easy to remember.'

/** `username`: so that a password manager knows whose password is kept. */
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

/** A way to sign in, on its button. */
export interface ProviderButton {
  id: string
  name: string
}

/** Buttons that lead to the providers, under the form; nothing where none is set up. */
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

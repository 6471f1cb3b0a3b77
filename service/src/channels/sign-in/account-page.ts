import { LIMITS } from '@citewell/contract/limits'
import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import {
  csrfField,
  doneLine,
  faultLine,
  newPasswordField,
  revokeTokensField,
  TOOLS_STAY_CONNECTED,
  type ProviderButton,
} from './form-parts.ts'

export interface AccountPage {
  csrf: string
  email: string
  name: string
  hasPassword: boolean
  /** Whether the account, made at the first start, still lacks an e-mail address. */
  needsEmail: boolean
  /** Linked accounts at identity providers: the provider, and the e-mail there. */
  linked: readonly { issuer: string; provider: string; email: string | null }[]
  /** Providers that are not linked yet. */
  offered: readonly ProviderButton[]
  /** Signed-in browsers, including this one. */
  browsers: number
  /** Working access tokens, except those of the operator. */
  tokens: number
  done: Markup | undefined
  fault: string | undefined
}

export function accountPage(page: AccountPage): Markup {
  const { csrf, email, name, done, fault } = page
  return plainPage(
    'Your account',
    html`<h1>Your account</h1>
      ${faultLine(fault)}${doneLine(done)}
      <dl>
        <dt>E-mail</dt>
        <dd>${email}</dd>
      </dl>
      <p><a href="/">Open the dashboard</a></p>
      <p>
        <a href="/account/connected-tools">Connected tools</a>: AI tools that may read here on your behalf.
      </p>
      <section>
        <h2>Your name</h2>
        <form method="post" action="/account/name">
          ${csrfField(csrf)}<label
            >Name
            <input
              name="name"
              type="text"
              value="${name}"
              autocomplete="name"
              maxlength="${LIMITS.name}"
              required
          /></label>
          <button class="second">Change name</button>
          <p class="hint below">Everybody in your workspaces sees it.</p>
        </form>
      </section>
      ${passwordSection(page)} ${providersSection(page)}
      <section>
        <h2>Signed in</h2>
        <p>
          ${page.browsers === 1 ? 'Only this browser is signed in.' : `${page.browsers} browsers are signed in to your account.`}
        </p>
        <form method="post" action="/sign-out">
          ${csrfField(csrf)}<button class="second">Sign out</button>
        </form>
        ${
          page.browsers === 1 && page.tokens === 0
            ? ''
            : html`<form method="post" action="/account/sign-out-everywhere">
                  ${csrfField(csrf)}${revokeTokensField(page.tokens)}<button class="second">
                    Sign out everywhere
                  </button>
                </form>
                <p class="hint below">${TOOLS_STAY_CONNECTED}</p>`
        }
      </section>
      <section>
        <h2>Delete your account</h2>
        <p>In the dashboard, under <a href="/me">your settings</a>.</p>
      </section>`,
  )
}

const passwordSection = ({ csrf, email, hasPassword, needsEmail, tokens }: AccountPage): Markup =>
  html`<section>
    <h2>${hasPassword ? 'Change your password' : 'Set a password'}</h2>
    <form method="post" action="/account/password">
      ${csrfField(csrf)}
      ${
        hasPassword
          ? html`<label
              >Current password
              <input name="present" type="password" autocomplete="current-password" required
            /></label>`
          : ''
      }
      ${
        needsEmail
          ? html`<label
              >Your e-mail <input name="email" type="email" autocomplete="username" required
            /></label>`
          : ''
      }
      ${newPasswordField(needsEmail ? undefined : email, hasPassword ? 'New password' : 'Password')}
      ${revokeTokensField(tokens)}
      <button>${hasPassword ? 'Change password' : 'Set password'}</button>
      <p class="hint below">
        Every other browser that is signed in as you is signed out. ${TOOLS_STAY_CONNECTED}
      </p>
    </form>
  </section>`

function providersSection({ csrf, linked, offered, hasPassword }: AccountPage): Markup {
  if (linked.length === 0 && offered.length === 0) return html``
  const isLastWay = !hasPassword && linked.length === 1
  return html`<section>
    <h2>Other ways to sign in</h2>
    ${linked.map(
      ({ issuer, provider, email }) =>
        html`<div class="row">
          <p>
            <strong>${provider}</strong
            >${email === null ? '' : html`<br /><span class="quiet">${email}</span>`}
          </p>
          ${
            isLastWay
              ? html`<p class="quiet">Your only way to sign in</p>`
              : html`<form method="post" action="/account/unlink">
                  ${csrfField(csrf)}<input type="hidden" name="issuer" value="${issuer}" /><button
                    class="second"
                  >
                    Unlink<span class="unseen"> ${provider}</span>
                  </button>
                </form>`
          }
        </div>`,
    )}
    ${offered.map(
      ({ id, name }) =>
        html`<form method="post" action="/account/link">
          ${csrfField(csrf)}<input type="hidden" name="provider" value="${id}" /><button class="second">
            Link ${name}
          </button>
        </form>`,
    )}
  </section>`
}

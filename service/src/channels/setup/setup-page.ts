import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import {
  codeFields,
  faultLine,
  newPasswordField,
  providerButtons,
  type ProviderButton,
} from '../sign-in/sign-in.ts'

export interface SetupPage {
  csrf: string
  code: string
  email: string
  fault: string | undefined
  providers: readonly ProviderButton[]
}

export function setupPage({ csrf, code, email, fault, providers }: SetupPage): Markup {
  const fields = codeFields({ csrf, code })
  return plainPage(
    'Welcome to Citewell',
    html`<h1>Welcome to Citewell</h1>
      <p>This link opens the dashboard as its owner, once. You can set a password later.</p>
      ${faultLine(fault)}
      <form method="post" action="/setup">
        ${fields}<input type="hidden" name="opens" value="1" /><button>Open the dashboard</button>
      </form>
      <details ${fault === undefined ? '' : 'open'}>
        <summary>Set an e-mail and a password first</summary>
        <p>Your first access token is on the next page.</p>
        <form method="post" action="/setup">
          ${fields}
          <label
            >Your e-mail <input name="email" type="email" value="${email}" autocomplete="username" required
          /></label>
          ${newPasswordField(undefined)}
          <button class="second">Make the account</button>
        </form>
      </details>
      ${providerButtons(providers, {
        action: '/setup',
        fields,
        says: (name) => `Continue with ${name}`,
      })}
      <details>
        <summary>Only an access token</summary>
        <p>For use from programs only. You can set a password later.</p>
        <form method="post" action="/setup">
          ${fields}<button class="second">Create access token</button>
        </form>
      </details>`,
  )
}

/** `isSignedIn`: whether the browser has an account page now. */
export const tokenPage = (token: string, address: string, isSignedIn: boolean): Markup =>
  plainPage(
    'Your access token',
    html`${
        isSignedIn
          ? html`<h1>You are signed in</h1>
              <p><a class="go" href="/">Open the dashboard</a></p>
              <h2>Your access token</h2>
              <p>For scripts; the dashboard does not need it.</p>`
          : html`<h1>Your access token</h1>`
      }
      <p>Keep it in a safe place now: it is not shown again.</p>
      <pre>${token}</pre>
      <p>Try it:</p>
      <pre>curl ${address}/api/v1/me -H "Authorization: Bearer ${token}"</pre>
      <h2>What next</h2>
      <ul>
        <li><a href="/docs#createKnowledgeBase">Make a knowledge base</a></li>
        <li><a href="/docs#createMcpServer">Connect an AI tool</a>: make an MCP server for it</li>
        <li><a href="/docs">Look up every operation</a>, at ${address}/docs</li>
        ${isSignedIn ? html`<li><a href="/account">Go to your account</a></li>` : ''}
      </ul>`,
  )

export const usedPage = (because: string): Markup =>
  plainPage(
    'This link was used',
    html`<h1>This link does not work any more</h1>
      <p>${because}</p>
      <p class="quiet">
        If the dashboard is open in this browser, <a href="/">go on there</a>. If not: on the machine that
        runs Citewell, starting it again prints a new link as long as you have no password,
        <code>npx citewell set-password E-MAIL</code> a link for setting a password.
      </p>`,
  )

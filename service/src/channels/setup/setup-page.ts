import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'

export const setupPage = (code: string): Markup =>
  plainPage(
    'Set up Citewell',
    html`<h1>Set up Citewell</h1>
      <p>This makes the owner’s first access token. It is shown once, on the next page.</p>
      <form method="post" action="/setup">
        <input type="hidden" name="code" value="${code}" />
        <button>Make the access token</button>
      </form>`,
  )

export const tokenPage = (token: string, address: string): Markup =>
  plainPage(
    'Your access token',
    html`<h1>Your access token</h1>
      <p>Keep it in a safe place now: it is not shown again.</p>
      <pre>${token}</pre>
      <p>Try it:</p>
      <pre>curl ${address}/api/v1/me -H "Authorization: Bearer ${token}"</pre>
      <p class="quiet">Every operation is described at <a href="/docs">${address}/docs</a>.</p>`,
  )

export const usedPage = (because: string): Markup =>
  plainPage(
    'This link was used',
    html`<h1>This link does not work any more</h1>
      <p>${because}</p>
      <p class="quiet">
        On the machine that runs Citewell, <code>npx citewell token create NAME</code> makes an access token
        too.
      </p>`,
  )

import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'

/** After an account was connected: the window was opened by the dashboard, which goes on by itself. */
export const connectedPage = (account: string): Markup =>
  plainPage(
    'Account connected',
    html`<h1>Account connected</h1>
      <p role="status">${account} is connected. You can close this window and go on in the dashboard.</p>`,
  )

export const notConnectedPage = (because: string): Markup =>
  plainPage(
    'Account not connected',
    html`<h1>Account not connected</h1>
      <p class="fault" role="alert">${because}</p>
      <p>You can close this window. In the dashboard, press the button again.</p>`,
  )

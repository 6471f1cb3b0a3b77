import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'

/** `fault`: why the attempt before did not work; the link still does. */
export const invitationPage = (code: string, fault?: string): Markup =>
  plainPage(
    'Join a workspace',
    html`<h1>You are invited to a workspace</h1>
      ${fault === undefined ? '' : html`<p role="alert"><strong>${fault}</strong></p>`}
      <p>If you are new here, this makes your first access token. It is shown once, on the next page.</p>
      <form method="post" action="/invitation">
        <input type="hidden" name="code" value="${code}" />
        <label
          >Only if you have an account here already: an access token of yours
          <input name="access_token" type="password" autocomplete="off"
        /></label>
        <button>Join</button>
      </form>`,
  )

export const joinedPage = (): Markup =>
  plainPage(
    'You have joined',
    html`<h1>You have joined the workspace</h1>
      <p>The access tokens that you have reach it from now on.</p>`,
  )

export const lapsedPage = (because: string): Markup =>
  plainPage(
    'This invitation does not work',
    html`<h1>This invitation does not work any more</h1>
      <p>${because}</p>`,
  )

import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import {
  codeFields,
  faultLine,
  newPasswordField,
  providerButtons,
  signInAddress,
  type ProviderButton,
} from '../sign-in/sign-in.ts'

export interface InvitationPage {
  csrf: string
  code: string
  email: string
  workspaceName: string
  /** Why the previous attempt failed; the link still works. */
  fault: string | undefined
}

const begin = ({ workspaceName, email, fault }: InvitationPage): Markup =>
  html`<h1>Join ${workspaceName}</h1>
    <p>You are invited as <strong>${email}</strong>.</p>
    ${faultLine(fault)}`

/** For a new person, who chooses how to sign in. */
export const newPersonPage = (page: InvitationPage, providers: readonly ProviderButton[]): Markup =>
  plainPage(
    `Join ${page.workspaceName}`,
    html`${begin(page)}
      <form method="post" action="/invitation">
        ${codeFields(page)} ${newPasswordField(page.email)}
        <button>Join</button>
      </form>
      ${providerButtons(providers, {
        action: '/invitation',
        fields: codeFields(page),
        says: (name) => `Join with ${name}`,
      })}
      <details>
        <summary>Only an access token</summary>
        <p>For use from programs only: it is shown once, on the next page.</p>
        <form method="post" action="/invitation">
          ${codeFields(page)}<button class="second">Join and make an access token</button>
        </form>
      </details>`,
  )

/** For a person with an account here, signed in or not. */
export const knownPersonPage = (page: InvitationPage, isSignedIn: boolean): Markup =>
  plainPage(
    `Join ${page.workspaceName}`,
    html`${begin(page)}
    ${
      isSignedIn
        ? html`<form method="post" action="/invitation">${codeFields(page)}<button>Join</button></form>`
        : html`<p>You have an account here already. Sign in with it to join.</p>
            <p>
              <a class="button" href="${signInAddress(`/invitation?code=${page.code}`)}">Sign in</a>
            </p>
            <details>
              <summary>With an access token</summary>
              <form method="post" action="/invitation">
                ${codeFields(page)}
                <label
                  >An access token of yours
                  <input name="access_token" type="password" autocomplete="off" required
                /></label>
                <button class="second">Join</button>
              </form>
            </details>`
    }`,
  )

export const joinedPage = (): Markup =>
  plainPage(
    'You have joined',
    html`<h1>You have joined the workspace</h1>
      <p>Your access tokens now give access to it.</p>`,
  )

export const lapsedPage = (because: string): Markup =>
  plainPage(
    'This invitation does not work',
    html`<h1>This invitation does not work any more</h1>
      <p>${because}</p>`,
  )

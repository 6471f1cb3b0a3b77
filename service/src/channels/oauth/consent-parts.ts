import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import { csrfField } from '../sign-in/sign-in.ts'

/** What every consent page shows. */
export interface ConsentFacts {
  /** The name that the tool claims, shown as text. */
  clientName: string
  /** Host of the client's metadata document, which vouches for its name; undefined for a client that registered dynamically. */
  namedBy: string | undefined
  /** Where the answer goes: the only fact here that a tool cannot forge. */
  redirectHost: string
  serverName: string
  /** The signed-in account; undefined for readers. */
  email?: string
}

/** The facts that let a user recognise whether this is the tool they started. */
export const consentFacts = ({
  clientName,
  namedBy,
  redirectHost,
  serverName,
  email,
}: ConsentFacts): Markup =>
  html`<dl>
    ${
      email === undefined
        ? ''
        : html`<dt>You are</dt>
            <dd>${email}</dd>`
    }
    <dt>Tool</dt>
    <dd>${clientName}</dd>
    ${
      namedBy === undefined
        ? ''
        : html`<dt>Named by</dt>
            <dd>${namedBy}</dd>`
    }
    <dt>Answers go to</dt>
    <dd><strong>${redirectHost}</strong></dd>
    <dt>Server</dt>
    <dd>${serverName}</dd>
    <dt>May</dt>
    <dd>search, ask, read pages (mcp)</dd>
  </dl>`

/** Any program on a computer can listen on its loopback addresses, so only the user knows whether they started this tool. */
export const loopbackWarning = ({
  isLoopback,
  redirectHost,
}: {
  isLoopback: boolean
  redirectHost: string
}): Markup => {
  if (!isLoopback) return html``
  const program = redirectHost.endsWith(':')
    ? html`the program on this device that opens addresses beginning with <strong>${redirectHost}</strong>`
    : html`a program on your own computer`
  return html`<p class="warn">
    The answer goes to ${program}. Continue only if you have just started this from a tool that you know.
  </p>`
}

/** Hidden fields of the form that allows a tool. */
export const allowFields = (csrf: string): Markup =>
  html`${csrfField(csrf)}<input type="hidden" name="decision" value="allow" />`

export const denyForm = (csrf: string): Markup =>
  html`<form method="post">
    ${csrfField(csrf)}<input type="hidden" name="decision" value="deny" /><button class="second">
      Do not connect
    </button>
  </form>`

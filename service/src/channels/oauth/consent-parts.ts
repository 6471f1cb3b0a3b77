import { html } from 'hono/html'
import type { Markup } from '../../platform/http/plain-page.ts'
import { csrfField } from '../sign-in/sign-in.ts'

/** What stands on every page that asks whether a tool may read something, whoever is asked. */
export interface ConsentFacts {
  /** As the tool calls itself: its own words, shown as text. */
  clientName: string
  /** The host of the document that the tool names itself by, which vouches for its name; a tool that registered itself has none. */
  namedBy: string | undefined
  /** Where the answer goes: the one thing here that cannot be made up. */
  redirectHost: string
  serverName: string
  /** The account here that is signed in; readers have none. */
  email?: string
}

/** Which tool, of whom, for what: on it a person sees whether it is the one that they started. */
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

/** Any program of a computer can wait at its loopback addresses: who started it is the only thing that tells them apart. */
export const loopbackWarning = ({
  isLoopback,
  redirectHost,
}: {
  isLoopback: boolean
  redirectHost: string
}): Markup => {
  if (!isLoopback) return html``
  const program = redirectHost.endsWith(':')
    ? html`whichever program of this device opens addresses that begin with <strong>${redirectHost}</strong>`
    : html`a program on your own computer`
  return html`<p class="warn">
    The answer goes to ${program}. Go on only if you have just started this from a tool that you know.
  </p>`
}

/** What the form that lets a tool in says, beside its button. */
export const allowFields = (csrf: string): Markup =>
  html`${csrfField(csrf)}<input type="hidden" name="decision" value="allow" />`

export const denyForm = (csrf: string): Markup =>
  html`<form method="post">
    ${csrfField(csrf)}<input type="hidden" name="decision" value="deny" /><button class="second">
      Do not connect
    </button>
  </form>`

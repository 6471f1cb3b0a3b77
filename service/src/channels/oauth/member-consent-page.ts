import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { choiceOfBases } from './chosen-in.ts'
import type { OfferedBase } from './connected-tools.ts'

/** What a member is asked: which tool, where its answers go, what of theirs it reads. */
export interface MemberConsent {
  /** As the tool calls itself: its own words, shown as text. */
  clientName: string
  /** Where the answer goes: the one thing here that cannot be made up. */
  redirectHost: string
  /** Everything it asks for runs on the person's own machine. */
  isLoopback: boolean
  serverName: string
  /** Who is signed in. */
  email: string
  csrf: string
  /** The one base of an internal server; at the portal, those to choose from. */
  reads: { base: string } | { choiceOf: readonly OfferedBase[] }
  /** What was wrong with the form that was sent. */
  fault: string | undefined
}

const NOTHING = { readsAll: false, knowledgeBaseIds: [] }

export function memberConsentPage(consent: MemberConsent): Markup {
  const { clientName, redirectHost, isLoopback, serverName, email, csrf, reads, fault } = consent
  const what = 'base' in reads ? reads.base : 'your knowledge bases'
  const hidden = html`<input type="hidden" name="csrf" value="${csrf}" />`
  return plainPage(
    `Connect ${clientName}`,
    html`<h1>Let ${clientName} read ${what}?</h1>
      <p>It will be able to search and ask questions in your name, restricted documents included.</p>
      <dl>
        <dt>You are</dt>
        <dd>${email}</dd>
        <dt>Tool</dt>
        <dd>${clientName}</dd>
        <dt>Answers go to</dt>
        <dd><strong>${redirectHost}</strong></dd>
        <dt>Server</dt>
        <dd>${serverName}</dd>
        <dt>May</dt>
        <dd>search, ask, read pages (mcp)</dd>
      </dl>
      ${
        isLoopback
          ? html`<p class="warn">
              The answer goes to a program on your own computer. Go on only if you have just started this from
              a tool that you know.
            </p>`
          : ''
      }
      ${fault === undefined ? '' : html`<p class="warn" role="alert">${fault}</p>`}
      <form method="post">
        ${hidden}<input type="hidden" name="decision" value="allow" />${
          'choiceOf' in reads ? choiceOfBases(reads.choiceOf, NOTHING) : ''
        }<button>Connect</button>
      </form>
      <form method="post">
        ${hidden}<input type="hidden" name="decision" value="deny" /><button class="second">
          Do not connect
        </button>
      </form>
      <p class="quiet">
        You can take this back at any time under <a href="/account/connected-tools">connected tools</a>. Not
        you? <a href="/account">Sign out</a>, and start again from your tool.
      </p>`,
  )
}

import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { faultLine } from '../sign-in/sign-in.ts'
import { baseChoiceFields } from './base-choice-fields.ts'
import type { OfferedBase } from './connected-tools.ts'
import { allowFields, consentFacts, denyForm, loopbackWarning, type ConsentFacts } from './consent-parts.ts'

/** What the consent page shows a member: the tool, where its answers go, and which bases it reads. */
export interface MemberConsent extends Required<ConsentFacts> {
  /** All redirect addresses are on the member's own machine. */
  isLoopback: boolean
  csrf: string
  /** The base of an internal server; at the portal, the bases to choose from. */
  reads: { base: string } | { choiceOf: readonly OfferedBase[] }
  /** Error of the submitted form. */
  fault: string | undefined
}

const NOTHING = { readsAll: false, knowledgeBaseIds: [] }

export function memberConsentPage(consent: MemberConsent): Markup {
  const { clientName, csrf, reads, fault } = consent
  const what = 'base' in reads ? reads.base : 'your knowledge bases'
  return plainPage(
    `Connect ${clientName}`,
    html`<h1>Let ${clientName} read ${what}?</h1>
      <p>It will be able to search and ask questions on your behalf, including restricted documents.</p>
      ${consentFacts(consent)} ${loopbackWarning(consent)} ${faultLine(fault)}
      <form method="post">
        ${allowFields(csrf)}${'choiceOf' in reads ? baseChoiceFields(reads.choiceOf, NOTHING) : ''}<button>
          Connect
        </button>
      </form>
      ${denyForm(csrf)}
      <p class="quiet">
        You can take this back at any time under <a href="/account/connected-tools">connected tools</a>. Not
        you? <a href="/sign-out">Sign out</a>, and start again from your tool.
      </p>`,
  )
}

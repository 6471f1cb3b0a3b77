import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { allowFields, consentFacts, denyForm, loopbackWarning, type ConsentFacts } from './consent-parts.ts'

/** What the consent page shows a reader: the tool, where its answers go, and what it reads. */
export interface Consent extends Omit<ConsentFacts, 'email'> {
  /** All redirect addresses are on the reader's own machine. */
  isLoopback: boolean
  knowledgeBaseName: string
  csrf: string
  /** Ways to sign in; empty if the reader is signed in. */
  providers: readonly { id: string; name: string }[]
}

export function consentPage(consent: Consent): Markup {
  const { clientName, knowledgeBaseName, csrf, providers } = consent
  return plainPage(
    `Connect ${clientName}`,
    html`<h1>Let ${clientName} read ${knowledgeBaseName}?</h1>
      <p>It will be able to search this documentation and ask questions about it, on your behalf.</p>
      ${consentFacts(consent)} ${loopbackWarning(consent)}
      ${
        providers.length === 0
          ? html`<form method="post">${allowFields(csrf)}<button>Connect</button></form>`
          : providers.map(
              ({ id, name }) =>
                html`<form method="post">
                  ${allowFields(csrf)}<input type="hidden" name="provider" value="${id}" /><button>
                    Connect with ${name}
                  </button>
                </form>`,
            )
      }
      ${denyForm(csrf)}
      <p class="quiet">
        ${
          providers.length === 0
            ? 'You are signed in.'
            : 'You sign in there to show that you are a person. We store only an id that says nothing about you, not your name or address.'
        }
      </p>`,
  )
}

/** @param code shown on the page, so that the reader can report it */
export const connectFaultPage = (code: string, because: string): Markup =>
  plainPage(
    'Connecting failed',
    html`<h1>Connecting failed</h1>
      <p>${because}</p>
      <p class="quiet">Start again from your tool. (${code})</p>`,
  )

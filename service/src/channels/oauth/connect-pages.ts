import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { allowFields, consentFacts, denyForm, loopbackWarning, type ConsentFacts } from './consent-parts.ts'

/** What a reader is asked: which tool, where its answers go, what it reads. */
export interface Consent extends Omit<ConsentFacts, 'email'> {
  /** Everything it asks for runs on the reader's own machine. */
  isLoopback: boolean
  knowledgeBaseName: string
  csrf: string
  /** Ways to sign in; empty where the reader is signed in. */
  providers: readonly { id: string; name: string }[]
}

export function consentPage(consent: Consent): Markup {
  const { clientName, knowledgeBaseName, csrf, providers } = consent
  return plainPage(
    `Connect ${clientName}`,
    html`<h1>Let ${clientName} read ${knowledgeBaseName}?</h1>
      <p>It will be able to search this documentation and ask questions about it, in your name.</p>
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
            : 'You sign in there to show that you are a person. Only an id that says nothing about you is kept, not your name or address.'
        }
      </p>`,
  )
}

/** @param code says which fault it was, to whoever is asked about it */
export const connectFaultPage = (code: string, because: string): Markup =>
  plainPage(
    'Connecting did not work',
    html`<h1>Connecting did not work</h1>
      <p>${because}</p>
      <p class="quiet">Start again from your tool. (${code})</p>`,
  )

import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'

/** What is asked: which tool, of whom, for what. */
export interface Consent {
  /** As the tool calls itself: its own words, shown as text. */
  clientName: string
  /** Where the answer goes: the one thing here that cannot be made up. */
  redirectHost: string
  /** Everything it asks for runs on the reader's own machine. */
  isLoopback: boolean
  serverName: string
  knowledgeBaseName: string
  csrf: string
  /** Ways to sign in; empty where the reader is signed in. */
  providers: readonly { id: string; name: string }[]
}

export function consentPage(consent: Consent): Markup {
  const { clientName, redirectHost, isLoopback, knowledgeBaseName, serverName, csrf, providers } = consent
  const hidden = html`<input type="hidden" name="csrf" value="${csrf}" />`
  return plainPage(
    `Connect ${clientName}`,
    html`<h1>Let ${clientName} read ${knowledgeBaseName}?</h1>
      <p>It will be able to search this documentation and ask questions about it, in your name.</p>
      <dl>
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
      ${
        providers.length === 0
          ? html`<form method="post">
              ${hidden}<input type="hidden" name="decision" value="allow" /><button>Connect</button>
            </form>`
          : providers.map(
              ({ id, name }) =>
                html`<form method="post">
                  ${hidden}<input type="hidden" name="decision" value="allow" /><input
                    type="hidden"
                    name="provider"
                    value="${id}"
                  /><button>Connect with ${name}</button>
                </form>`,
            )
      }
      <form method="post">
        ${hidden}<input type="hidden" name="decision" value="deny" /><button class="second">
          Do not connect
        </button>
      </form>
      <p class="quiet">
        ${
          providers.length === 0
            ? 'You are signed in.'
            : 'You sign in there to show that you are a person. Only an id that says nothing about you is kept, not your name or address.'
        }
      </p>`,
  )
}

export const connectFaultPage = (title: string, because: string): Markup =>
  plainPage(
    'Connecting did not work',
    html`<h1>Connecting did not work</h1>
      <p>${because}</p>
      <p class="quiet">Start again from your tool. (${title})</p>`,
  )

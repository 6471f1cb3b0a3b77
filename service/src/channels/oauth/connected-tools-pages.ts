import { html } from 'hono/html'
import { plainPage, type Markup } from '../../platform/http/plain-page.ts'
import { csrfField, faultLine } from '../sign-in/sign-in.ts'
import { baseChoiceFields } from './base-choice-fields.ts'
import { readsChosenBases, type ConnectedToolRow, type OfferedBase } from './connected-tools.ts'

const PATH = '/account/connected-tools'

/** The date in ISO 8601 and UTC, unambiguous in every locale. */
const dayOf = (time: Date) => `${time.toISOString().slice(0, 10)} (UTC)`

/** A short description of what a tool may read. */
function readsText(tool: ConnectedToolRow, bases: readonly OfferedBase[]): string {
  if (!readsChosenBases(tool)) return new URL(tool.resource).pathname.replace('/mcp/', '')
  if (tool.reads_all) return 'all knowledge bases that you may chat in'
  const names = bases.filter(({ id }) => tool.knowledge_base_ids.includes(id)).map(({ name }) => name)
  return names.length === 0 ? 'nothing' : names.join(', ')
}

function toolEntry(tool: ConnectedToolRow, csrf: string, bases: readonly OfferedBase[]): Markup {
  const { id, client_name: name, redirect_host: host, created_at: since, last_used_at: used } = tool
  return html`<section id="tool-${id}">
    <h2>${name}</h2>
    <dl>
      <dt>Reads</dt>
      <dd>${readsText(tool, bases)}</dd>
      <dt>Answers go to</dt>
      <dd>${host}</dd>
      <dt>Connected</dt>
      <dd>${dayOf(since)}</dd>
      <dt>Last used</dt>
      <dd>${used === null ? 'never' : dayOf(used)}</dd>
    </dl>
    ${readsChosenBases(tool) ? html`<p><a href="${PATH}/${id}">Choose what ${name} may read</a></p>` : ''}
    <form method="post" action="${PATH}/${id}/disconnect">
      ${csrfField(csrf)}<button class="second">Disconnect ${name}</button>
    </form>
  </section>`
}

/** The tools of a member, each with a button to disconnect it. */
export const connectedToolsPage = (
  tools: readonly ConnectedToolRow[],
  { csrf, email, bases }: { csrf: string; email: string; bases: readonly OfferedBase[] },
): Markup =>
  plainPage(
    'Connected tools',
    html`<h1>Connected tools</h1>
      <p>
        AI tools that read knowledge bases on your behalf, ${email}. A tool that you disconnect loses access
        immediately.
      </p>
      ${
        tools.length === 0
          ? html`<p class="quiet">You have no connected tools.</p>`
          : tools.map((tool) => toolEntry(tool, csrf, bases))
      }
      <p class="below"><a href="/account">Your account</a></p>`,
  )

/** A form to change which bases a tool at the portal may read. */
export const chooseBasesPage = (
  tool: ConnectedToolRow,
  { csrf, bases, fault }: { csrf: string; bases: readonly OfferedBase[]; fault: string | undefined },
): Markup =>
  plainPage(
    `What ${tool.client_name} may read`,
    html`<h1>What may ${tool.client_name} read?</h1>
      <p>A change applies to its next request.</p>
      ${faultLine(fault)}
      <form method="post">
        ${csrfField(csrf)}${baseChoiceFields(bases, {
          readsAll: tool.reads_all,
          knowledgeBaseIds: tool.knowledge_base_ids,
        })}<button>Save</button>
      </form>
      <p><a href="${PATH}">Back to your connected tools</a></p>`,
  )

export const connectedToolsFaultPage = (because: string): Markup =>
  plainPage(
    'This did not work',
    html`<h1>This did not work</h1>
      <p>${because}</p>
      <p><a href="${PATH}">Your connected tools</a></p>`,
  )

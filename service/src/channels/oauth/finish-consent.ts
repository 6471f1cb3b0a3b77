import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { MCP_SCOPE } from './protected-resources.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** Writes down what a person allowed: one grant holds what one person lets one client do at one server. Returns its id. */
export async function grantConsent(
  provider: Provider,
  given: { interaction: Interaction; accountId: string; resource: string },
): Promise<string> {
  const { interaction, accountId, resource } = given
  const clientId = String(interaction.params['client_id'])
  // A member's choice of bases belongs to one connection: each is a grant of its own, to be taken back by itself.
  const isShared = interaction.grantId !== undefined && accountId.startsWith('reader:')
  const known = isShared ? await provider.Grant.find(String(interaction.grantId)) : undefined
  const isOwn = known !== undefined && known.accountId === accountId
  const grant = isOwn ? known : new provider.Grant({ accountId, clientId })
  // Asked for of the authorization server, they have to be granted there too, or the person is asked again.
  grant.addOIDCScope(`${MCP_SCOPE} offline_access`)
  grant.addResourceScope(resource, MCP_SCOPE)
  return await grant.save()
}

/** The authorization server would ask a browser that was somebody else before to sign out first, on a page of its own. */
async function forgetOther(provider: Provider, interaction: Interaction, accountId: string): Promise<void> {
  const uid = interaction.session?.uid
  const session = uid === undefined ? undefined : await provider.Session.findByUid(uid)
  if (session?.accountId === undefined || session.accountId === accountId) return
  session.accountId = undefined
  session.authorizations = {}
  await session.persist()
  // It holds on to whoever that was, and would be refused now.
  Object.assign(interaction, { session: undefined })
  await interaction.persist()
}

/** Gives the browser back to the authorization server, which sends it on to the tool with a code. */
export async function finishConsent(
  provider: Provider,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  { interaction, accountId, grantId }: { interaction: Interaction; accountId: string; grantId: string },
): Promise<void> {
  await forgetOther(provider, interaction, accountId)
  await provider.interactionFinished(
    incoming,
    outgoing,
    { login: { accountId, remember: accountId.startsWith('reader:') }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  )
}

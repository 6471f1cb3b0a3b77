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
  const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
  const isOwn = known !== undefined && known.accountId === accountId
  const grant = isOwn ? known : new provider.Grant({ accountId, clientId })
  // Asked for of the authorization server, they have to be granted there too, or the person is asked again.
  grant.addOIDCScope(`${MCP_SCOPE} offline_access`)
  grant.addResourceScope(resource, MCP_SCOPE)
  return await grant.save()
}

/** Gives the browser back to the authorization server, which sends it on to the tool with a code. */
export async function finishConsent(
  provider: Provider,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  { accountId, grantId }: { accountId: string; grantId: string },
): Promise<void> {
  await provider.interactionFinished(
    incoming,
    outgoing,
    { login: { accountId, remember: true }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  )
}

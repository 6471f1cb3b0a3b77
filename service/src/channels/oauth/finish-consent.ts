import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { MCP_SCOPE, type SignInServer } from './protected-resources.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * Writes down what a person allowed, and gives the browser back to the authorization server. One grant holds what one person lets
 * one client do at one server.
 */
export async function finishConsent(
  provider: Provider,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  given: { interaction: Interaction; accountId: string; server: SignInServer; resource: string },
): Promise<{ grantId: string }> {
  const { interaction, accountId, resource } = given
  const clientId = String(interaction.params['client_id'])
  const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
  const grant =
    known !== undefined && known.accountId === accountId ? known : new provider.Grant({ accountId, clientId })
  // Asked for of the authorization server, they have to be granted there too, or the person is asked again.
  grant.addOIDCScope(`${MCP_SCOPE} offline_access`)
  grant.addResourceScope(resource, MCP_SCOPE)
  const grantId = await grant.save()
  await provider.interactionFinished(
    incoming,
    outgoing,
    { login: { accountId, remember: true }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  )
  return { grantId }
}

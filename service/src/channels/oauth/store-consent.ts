import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { MCP_SCOPE } from './protected-resources.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** Stores the consent: one grant holds what one person allows one client at one server. Returns its id. */
export async function grantConsent(
  provider: Provider,
  given: { interaction: Interaction; accountId: string; resource: string },
): Promise<string> {
  const { interaction, accountId, resource } = given
  const clientId = String(interaction.params['client_id'])
  // A member's choice of bases belongs to one connection: each has a separate grant, which can be revoked separately.
  const isShared = interaction.grantId !== undefined && accountId.startsWith('reader:')
  const known = isShared ? await provider.Grant.find(String(interaction.grantId)) : undefined
  const isOwn = known !== undefined && known.accountId === accountId
  const grant = isOwn ? known : new provider.Grant({ accountId, clientId })
  // The authorization server requests these, so they have to be granted too; otherwise the user is asked again.
  grant.addOIDCScope(`${MCP_SCOPE} offline_access`)
  grant.addResourceScope(resource, MCP_SCOPE)
  return await grant.save()
}

/** Clears the previous account of the browser: otherwise the authorization server would ask to sign out first, on its own page. */
async function clearOtherAccount(
  provider: Provider,
  interaction: Interaction,
  accountId: string,
): Promise<void> {
  const uid = interaction.session?.uid
  const session = uid === undefined ? undefined : await provider.Session.findByUid(uid)
  if (session?.accountId === undefined || session.accountId === accountId) return
  session.accountId = undefined
  session.authorizations = {}
  await session.persist()
  // It still refers to the previous account, and would be refused.
  Object.assign(interaction, { session: undefined })
  await interaction.persist()
}

/** Returns control to the authorization server, which redirects the browser to the tool with a code. */
export async function finishConsent(
  provider: Provider,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  { interaction, accountId, grantId }: { interaction: Interaction; accountId: string; grantId: string },
): Promise<void> {
  await clearOtherAccount(provider, interaction, accountId)
  await provider.interactionFinished(
    incoming,
    outgoing,
    { login: { accountId, remember: accountId.startsWith('reader:') }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  )
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { Page } from '../../platform/http/form-pages.ts'
import { isDocumentAddress } from './client-metadata.ts'
import { isAccountForServer } from './create-provider.ts'
import type { SignInServer } from './protected-resources.ts'
import { isClientAllowed, isLocalProgram, type AllowedClients } from './web-clients.ts'

export interface OpenInteractionDeps {
  provider: () => Promise<Provider>
  findServer: (resource: string) => Promise<SignInServer | undefined>
  allowedClients: AllowedClients
}

export function nodeOf(context: Page): { incoming: IncomingMessage; outgoing: ServerResponse } {
  const { incoming, outgoing } = context.env
  if (incoming === undefined || outgoing === undefined) throw new Refusal('NOT_FOUND')
  return { incoming, outgoing }
}

/**
 * The pending interaction at this address, if it belongs to this browser, which then has its cookie.
 *
 * @throws Refusal BAD_REQUEST for an interaction of another browser, or an expired one; NOT_FOUND; FORBIDDEN for a website that may not
 * read the portal
 */
export async function openInteraction(
  context: Page,
  { provider: makeProvider, findServer, allowedClients }: OpenInteractionDeps,
) {
  const provider = await makeProvider()
  const { incoming, outgoing } = nodeOf(context)
  const interaction = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
  if (interaction === undefined || interaction.uid !== context.req.param('uid'))
    throw new Refusal('BAD_REQUEST', {
      because: 'This page is out of date, or belongs to another browser. Start again from your tool.',
    })
  const resource = String(interaction.params['resource'])
  const [server, client] = await Promise.all([
    findServer(resource),
    // A client stored under older rules is checked against the current ones, and may not be valid any more.
    provider.Client.find(String(interaction.params['client_id'])).catch(() => undefined),
  ])
  if (server === undefined || client === undefined)
    throw new Refusal('NOT_FOUND', { because: 'This server does not exist any more.' })
  if (server.isArchived) throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  const redirect = new URL(String(interaction.params['redirect_uri']))
  if (server.signInType === 'portal' && !isClientAllowed(redirect, allowedClients))
    throw new Refusal('FORBIDDEN', {
      because: `This tool is a website (${redirect.host}), and this service does not let it read your knowledge bases. The operator of the service can allow its host.`,
    })
  const accountId = interaction.session?.accountId
  const isReader =
    server.signInType === 'public' && accountId !== undefined && isAccountForServer(accountId, server)
  return {
    provider,
    interaction,
    resource,
    server,
    clientName: client.clientName ?? client.clientId,
    namedBy: isDocumentAddress(client.clientId) ? new URL(client.clientId).host : undefined,
    // The host part of `tool://claude.ai/` is chosen by the tool: only the scheme says where the answer goes.
    redirectHost: /^https?:$/.test(redirect.protocol) ? redirect.host : redirect.protocol,
    isLoopback: isLocalProgram(redirect, allowedClients),
    /** A reader whom the browser remembers; for members only their session here counts. */
    signedInAs: isReader ? accountId : undefined,
  }
}

export type Interaction = Awaited<ReturnType<typeof openInteraction>>

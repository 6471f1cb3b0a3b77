import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { Page } from '../../platform/http/form-pages.ts'
import { isDocumentAddress } from './client-rules.ts'
import { fitsServer } from './create-provider.ts'
import type { SignInServer } from './protected-resources.ts'
import { isClientAllowed, isOwnProgram, type AllowedClients } from './web-clients.ts'

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
 * What a person at this address is asked, if it is theirs: the browser holds the cookie of it.
 *
 * @throws Refusal BAD_REQUEST for a page of another browser, or of long ago; NOT_FOUND; FORBIDDEN for a website that may not read the portal
 */
export async function openInteraction(
  context: Page,
  { provider: makeProvider, findServer, allowedClients }: OpenInteractionDeps,
) {
  const provider = await makeProvider()
  const { incoming, outgoing } = nodeOf(context)
  const interaction = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
  if (interaction === undefined || interaction.uid !== context.req.param('uid')) {
    throw new Refusal('BAD_REQUEST', {
      because: 'This page is out of date, or belongs to another browser.',
    })
  }
  const resource = String(interaction.params['resource'])
  const [server, client] = await Promise.all([
    findServer(resource),
    // One that was kept under other rules is held to those of today, and may be none any more.
    provider.Client.find(String(interaction.params['client_id'])).catch(() => undefined),
  ])
  if (server === undefined || client === undefined)
    throw new Refusal('NOT_FOUND', { because: 'This server is gone.' })
  if (server.isArchived) throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
  const redirect = new URL(String(interaction.params['redirect_uri']))
  if (server.signInType === 'portal' && !isClientAllowed(redirect, allowedClients)) {
    throw new Refusal('FORBIDDEN', {
      because: `This tool is a website (${redirect.host}), and this service does not let it read your knowledge bases. Whoever runs the service can allow its host.`,
    })
  }
  const accountId = interaction.session?.accountId
  const isReader = server.signInType === 'public' && accountId !== undefined && fitsServer(accountId, server)
  return {
    provider,
    interaction,
    resource,
    server,
    clientName: client.clientName ?? client.clientId,
    namedBy: isDocumentAddress(client.clientId) ? new URL(client.clientId).host : undefined,
    // What stands where a host would in `tool://claude.ai/` is the tool's own word: the scheme alone says where it goes.
    redirectHost: /^https?:$/.test(redirect.protocol) ? redirect.host : redirect.protocol,
    isLoopback: isOwnProgram(redirect, allowedClients),
    /** A reader whom the browser knows; a member is known by their session here alone. */
    signedInAs: isReader ? accountId : undefined,
  }
}

export type Interaction = Awaited<ReturnType<typeof openInteraction>>

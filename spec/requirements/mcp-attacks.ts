import type { Requirement } from '../requirement.ts'

const connecting = 'service/src/channels/oauth/connect-routes.ts'
const provider = 'service/src/channels/oauth/create-provider.ts'
const adapter = 'service/src/channels/oauth/oauth-adapter.ts'
const tokens = 'service/src/channels/oauth/create-oauth.ts'
const clients = 'service/src/channels/oauth/client-metadata.ts'
const spec = 'security#mcp'
const row = (says: string, lives: string) => ({ says, spec, lives }) as const

/** Attacks: reading in another user's name, or abusing this service. */
export const MCP_ATTACKS = {
  'mcp-attacks.confused-deputy': row(
    'Whoever has let one tool in has let no other in: each is asked for by a page of its own, pressed in the browser that it was shown in.',
    connecting,
  ),
  'mcp-attacks.consent-form': row(
    'A consent form counts in its own browser, with its own token, once, and stands in no frame.',
    connecting,
  ),
  'mcp-attacks.one-server': row(
    'A token is good at the one server that it was made for: at no other, at no other kind, and not at one that takes its name later.',
    tokens,
  ),
  'mcp-attacks.outside-token': row(
    'A token of an outside provider is no credential here, and ours never go to anybody else.',
    'service/src/channels/oauth/oauth-access.ts',
  ),
  'mcp-attacks.mix-up': row(
    'Each answer of an authorization, errors included, names who gives it.',
    provider,
  ),
  'mcp-attacks.stolen-code': row(
    'A code is good for its own client, address, verifier and server together.',
    provider,
  ),
  'mcp-attacks.code-twice': row(
    'A code that is used twice, at the same moment too, ends the tokens of its first use.',
    adapter,
  ),
  'mcp-attacks.code-lasts': row('A code lasts 60 seconds.', provider),
  'mcp-attacks.refresh-twice': row(
    'A refresh token that is used twice, at the same moment too, ends its family.',
    adapter,
  ),
  'mcp-attacks.schemes-held-again': row(
    'A client or connection that was kept is held to the rules on redirects again each time that it is used.',
    tokens,
  ),
  'mcp-attacks.revoke': row(
    'A token is revoked by its own client alone, and is no good from then on.',
    provider,
  ),
  'mcp-attacks.client-documents': row(
    'A client document is taken from a public https address with a path, as JSON of at most 5 kB in at most 5 s, without redirects, for itself alone.',
    'service/src/channels/oauth/fetch-client-document.ts',
  ),
  'mcp-attacks.redirects': row(
    'A browser is sent to an address that the client named, letter by letter (a loopback port may differ), and nowhere otherwise.',
    clients,
  ),
  'mcp-attacks.registrations': row(
    'Registrations are limited per address, and those that nobody has let in are forgotten.',
    'service/src/channels/oauth/mount-provider.ts',
  ),
  'mcp-attacks.client-names': row("A tool's own name is shown as short plain text of one line.", clients),
  'mcp-attacks.rebinding': row(
    'A page of somewhere else is refused by its Origin, and on a loopback address by its Host.',
    'service/src/channels/mcp/check-origin.ts',
  ),
  'mcp-attacks.header-mismatch': row(
    'A request whose headers and body disagree is refused, and nothing is done.',
    'service/src/channels/mcp/serve-mcp.ts',
  ),
  'mcp-attacks.crossing': row(
    'An answer goes to whoever asked, however many ask at once.',
    'service/src/channels/mcp/build-server.ts',
  ),
  'mcp-attacks.text': row(
    'Text that no database keeps (U+0000, half characters), or that is far too long, is refused by every tool in words for the model; a server name of other characters is 404.',
    'contract/src/mcp-tools.ts',
  ),
  'mcp-attacks.no-secret-in-the-log': row(
    'No key, code or token stands in the log, whatever goes wrong.',
    'service/src/platform/log/log.ts',
  ),
} as const satisfies Record<string, Requirement>

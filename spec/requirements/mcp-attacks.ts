import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/oauth'
const spec = 'security#mcp'
const row = (says: string, file = lives) => ({ says, spec, lives: file }) as const
const onTheWire = (says: string, file = 'service/src/channels/mcp') => ({ says, spec, lives: file }) as const

/** Attacks: reading in another user's name, or abusing this service. */
export const MCP_ATTACKS = {
  'mcp-attacks.confused-deputy': row(
    'Whoever has let one tool in has let no other in: each is asked for by a page of its own, pressed in the browser that it was shown in.',
  ),
  'mcp-attacks.consent-form': row(
    'A consent form counts in its own browser, with its own token, once, and stands in no frame.',
  ),
  'mcp-attacks.one-server': row(
    'A token is good at the one server that it was made for: at no other, at no other kind, and not at one that takes its name later.',
  ),
  'mcp-attacks.outside-token': row(
    'A token of an outside provider is no credential here, and ours never go to anybody else.',
  ),
  'mcp-attacks.mix-up': row(
    'Each answer of an authorization, errors included, names who gives it.',
    'service/src/channels/oauth/create-provider.ts',
  ),
  'mcp-attacks.stolen-code': row(
    'A code is good for its own client, address, verifier and server together.',
    'service/src/channels/oauth/create-provider.ts',
  ),
  'mcp-attacks.code-twice': row(
    'A code that is used twice, at the same moment too, ends the tokens of its first use.',
    'service/src/channels/oauth/oauth-adapter.ts',
  ),
  'mcp-attacks.code-lasts': row('A code lasts 60 seconds.', 'service/src/channels/oauth/create-provider.ts'),
  'mcp-attacks.refresh-twice': row(
    'A refresh token that is used twice, at the same moment too, ends its family.',
    'service/src/channels/oauth/oauth-adapter.ts',
  ),
  'mcp-attacks.schemes-held-again': row(
    'A client or connection that was kept is held to the rules on redirects again each time that it is used.',
    'service/src/channels/oauth/tool-schemes.ts',
  ),
  'mcp-attacks.revoke': row('A token is revoked by its own client alone, and is no good from then on.'),
  'mcp-attacks.client-documents': row(
    'A client document is taken from a public https address with a path, as JSON of at most 5 kB in at most 5 s, without redirects, for itself alone.',
    'service/src/channels/oauth/fetch-client-document.ts',
  ),
  'mcp-attacks.redirects': row(
    'A browser is sent to an address that the client named, letter by letter (a loopback port may differ), and nowhere otherwise.',
  ),
  'mcp-attacks.registrations': row(
    'Registrations are limited per address, and those that nobody has let in are forgotten.',
  ),
  'mcp-attacks.client-names': row(
    "A tool's own name is shown as short plain text of one line.",
    'service/src/channels/oauth/client-metadata.ts',
  ),
  'mcp-attacks.rebinding': onTheWire(
    'A page of somewhere else is refused by its Origin, and on a loopback address by its Host.',
    'service/src/channels/mcp/check-origin.ts',
  ),
  'mcp-attacks.header-mismatch': onTheWire(
    'A request whose headers and body disagree is refused, and nothing is done.',
    'service/src/channels/mcp/serve-mcp.ts',
  ),
  'mcp-attacks.crossing': onTheWire('An answer goes to whoever asked, however many ask at once.'),
  'mcp-attacks.text': onTheWire(
    'Text that no database keeps (U+0000, half characters), or that is far too long, is refused by every tool in words for the model; a server name of other characters is 404.',
  ),
  'mcp-attacks.no-secret-in-the-log': onTheWire(
    'No key, code or token stands in the log, whatever goes wrong.',
  ),
} as const satisfies Record<string, Requirement>

import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/mcp'
const deferred = 'The wire of MCP servers and their sign-in have an issue of their own.'
const tools = 'interface#mcp-servers'
const limits = 'interface#limits'
const wire = 'open-items#4-mcp-on-the-wire'
const row = (spec: Requirement['spec'], says: string) => ({ says, spec, lives, deferred }) as const
const done = (spec: Requirement['spec'], says: string) => ({ says, spec, lives }) as const

export const MCP = {
  'mcp.addresses': row(tools, 'Servers answer at /mcp/<server_name>, /mcp and /mcp/portal.'),
  'mcp.address-decides': done(
    tools,
    'Tools of a named server take no base and no group: its address decides.',
  ),
  'mcp.generic': done('interface#mcp-server', 'The generic address takes any client key with MCP access.'),
  'mcp.portal': row(
    'interface#mcp-server',
    'The portal works for one person, over every base that they may chat in.',
  ),
  'mcp.portal-choice': row(tools, 'A person chooses, when connecting, which bases the editor may read.'),
  'mcp.permissions-at-once': row(
    tools,
    'Access is checked on every request; a change of permission applies at once.',
  ),
  'mcp.search': done(
    tools,
    'search_<name>_knowledge_sources, and search_docs, give the best pages with their best chunk; limit 8, at most 20.',
  ),
  'mcp.search-limit': done(limits, 'A search gives 8 pages where limit is left out, and 20 at most.'),
  'mcp.ask-question': done(tools, 'ask_question answers with citations.'),
  'mcp.list-sources': done(tools, "list_sources gives the base's sources."),
  'mcp.feedback': row(
    tools,
    'feedback records a wrong answer or missing documentation, to be read in traces.',
  ),
  'mcp.get-documents': done(tools, 'get_documents gives up to 10 whole pages of up to 20,000 characters.'),
  'mcp.get-documents-limits': done(
    limits,
    'get_documents takes 10 addresses at most, and cuts each page at 20,000 characters.',
  ),
  'mcp.get-documents-off': done(
    'interface#other-rules',
    'get_documents is off and unlisted until mcp_documents_enabled is set.',
  ),
  'mcp.no-restricted': done(
    'interface#what-the-service-does',
    'A server that takes keys never uses restricted documents: not in a search, an answer, a count or a whole page.',
  ),
  'mcp.public-no-restricted': done(
    'interface#what-the-service-does',
    'A Public server never uses restricted documents, whoever has signed in.',
  ),
  'mcp.restricted-for-the-team': row(
    'interface#what-the-service-does',
    'Internal servers and the portal use restricted documents too.',
  ),
  'mcp.closed-bases': done(
    'interface#knowledge-base-1',
    'Servers and keys of a base that is archived or deleted stop answering at once.',
  ),
  'mcp.portal-tools': row(
    tools,
    'The portal has list_knowledge_bases, search_docs, ask_question, list_sources, and get_documents where a base allows it.',
  ),
  'mcp.portal-narrowing': row(
    tools,
    'Search and ask on the portal take knowledge_base_ids, group_ids and source_ids.',
  ),
  'mcp.timeouts': row(limits, 'ask_question has 90 s, search 30 s, other tools 10 s.'),
  'mcp.public-rate': row(limits, 'A Public server takes 60 requests a minute and 500 a day from a reader.'),
  'mcp.internal-rate': row(limits, 'An Internal server takes 60 a minute and 2,000 a day from a person.'),
  'mcp.portal-rate': row(limits, 'The portal takes 60 a minute and 2,000 a day from a person.'),
  'mcp.key-rate': done(limits, 'Everyone who uses one key on an API-key server shares its limit.'),
  'mcp.streamable-http': done(wire, 'Streamable HTTP, stateless, in the current revision of the protocol.'),
  'mcp.structured': done(wire, 'Tools answer text and structuredContent, and say so where they only read.'),
  'mcp.search-result': done(wire, 'A search result has title, url, content, heading_path and score.'),
  'mcp.challenge': done(
    wire,
    'A missing or bad credential gets 401 with WWW-Authenticate naming the protected-resource metadata.',
  ),
  'mcp.oauth': done(
    wire,
    'Sign-in servers are OAuth 2.1 resources of an authorization server here: metadata, PKCE, registration, resource indicators.',
  ),
  'mcp.providers': row(
    wire,
    'Readers sign in through two configured providers at Public servers, with their account here at Internal ones and the portal.',
  ),
} as const satisfies Record<string, Requirement>

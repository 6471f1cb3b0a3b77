import type { Requirement } from '../requirement.ts'

const openReader = 'service/src/channels/mcp/open-reader.ts'
const searchDocs = 'service/src/channels/mcp/tools/search-docs.ts'
const getDocuments = 'service/src/channels/mcp/tools/get-documents.ts'
const rateLimits = 'service/src/channels/mcp/mcp-rate-limits.ts'
const serving = 'service/src/channels/mcp/serve-mcp.ts'
const schemas = 'contract/src/mcp-tools.ts'
const provider = 'service/src/channels/oauth/create-provider.ts'
const tools = 'interface#mcp-servers'
const limits = 'interface#limits'
const wire = 'open-items#4-mcp-on-the-wire'
const done = (spec: Requirement['spec'], says: string, lives: string) => ({ says, spec, lives }) as const

export const MCP = {
  'mcp.addresses': done(
    tools,
    'Servers answer at /mcp/<server_name>, /mcp and /mcp/portal.',
    'service/src/channels/mcp/mcp-routes.ts',
  ),
  'mcp.address-decides': done(
    tools,
    'Tools of a named server take no base and no group: its address decides.',
    schemas,
  ),
  'mcp.generic': done(
    'interface#mcp-server',
    'The generic address takes any client key with MCP access.',
    openReader,
  ),
  'mcp.invalid-params': done(
    wire,
    'Params that the protocol does not allow are refused as such (-32602), by initialize too.',
    'service/src/channels/mcp/checked-server.ts',
  ),
  'mcp.portal': done(
    'interface#mcp-server',
    'The portal works for one person, over every base that they may chat in.',
    openReader,
  ),
  'mcp.portal-choice': done(
    tools,
    'A person chooses, when connecting, which bases the editor may read.',
    'service/src/channels/oauth/base-choice-fields.ts',
  ),
  'mcp.permissions-at-once': done(
    tools,
    'Access is checked on every request; a change of permission applies at once.',
    openReader,
  ),
  'mcp.search': done(
    tools,
    'search_<name>_knowledge_sources, and search_docs, give the best pages with their best chunk; limit 8, at most 20.',
    searchDocs,
  ),
  'mcp.names-are-text': done(
    wire,
    'Titles, headings and names in what a tool says stand on one line each, and look like nothing else.',
    'service/src/kernel/markdown-name.ts',
  ),
  'mcp.search-limit': done(
    limits,
    'A search gives 8 pages where limit is left out, and 20 at most.',
    schemas,
  ),
  'mcp.ask-question': done(
    tools,
    'ask_question answers with citations.',
    'service/src/channels/mcp/tools/ask-question.ts',
  ),
  'mcp.list-sources': done(
    tools,
    "list_sources gives the base's sources.",
    'service/src/channels/mcp/tools/list-sources.ts',
  ),
  'mcp.feedback': done(
    tools,
    'feedback records a wrong answer or missing documentation, which people who may see traces read in a list of its own, that traces and conversations name.',
    'service/src/channels/mcp/tools/give-feedback.ts',
  ),
  'mcp.get-documents': done(
    tools,
    'get_documents gives up to 10 whole pages of up to 20,000 characters.',
    getDocuments,
  ),
  'mcp.get-documents-limits': done(
    limits,
    'get_documents takes 10 addresses at most, and cuts each page at 20,000 characters.',
    schemas,
  ),
  'mcp.get-documents-off': done(
    'interface#other-rules',
    'get_documents is off and unlisted until mcp_documents_enabled is set.',
    getDocuments,
  ),
  'mcp.no-restricted': done(
    'interface#what-the-service-does',
    'A server that takes keys never uses restricted documents: not in a search, an answer, a count or a whole page.',
    openReader,
  ),
  'mcp.public-no-restricted': done(
    'interface#what-the-service-does',
    'A Public server never uses restricted documents, whoever has signed in.',
    openReader,
  ),
  'mcp.restricted-for-the-team': done(
    'interface#what-the-service-does',
    'Internal servers and the portal use restricted documents too.',
    openReader,
  ),
  'mcp.closed-bases': done(
    'interface#knowledge-base-1',
    'Servers and keys of a base that is archived or deleted stop answering at once.',
    openReader,
  ),
  'mcp.portal-tools': done(
    tools,
    'The portal has list_knowledge_bases, search_docs, ask_question, list_sources, and get_documents where a base allows it.',
    'service/src/channels/mcp/tools/all-tools.ts',
  ),
  'mcp.portal-narrowing': done(
    tools,
    'Search and ask on the portal take knowledge_base_ids, group_ids and source_ids.',
    'contract/src/mcp-portal-tools.ts',
  ),
  'mcp.portal-foreign-ids': done(
    tools,
    'An id of what a person did not choose, may not ask, or cannot know of gives nothing of it, and the same words whether it exists.',
    'service/src/channels/across-bases/narrow-bases.ts',
  ),
  'mcp.portal-all': done(
    tools,
    'Who chose all bases has those read that they may ask at that moment; who chose some has no other read.',
    openReader,
  ),
  'mcp.portal-tokens': done(
    wire,
    "A token of the portal is good for no server, a server's for no other and not for the portal, and a reader's for no Internal one.",
    openReader,
  ),
  'mcp.timeouts': done(
    limits,
    'ask_question has 90 s, search 30 s, other tools 10 s.',
    'service/src/channels/mcp/tool-timeout.ts',
  ),
  'mcp.public-rate': done(
    limits,
    'A Public server takes 60 requests a minute and 500 a day from a reader.',
    rateLimits,
  ),
  'mcp.internal-rate': done(
    limits,
    'An Internal server takes 60 a minute and 2,000 a day from a person.',
    rateLimits,
  ),
  'mcp.portal-rate': done(limits, 'The portal takes 60 a minute and 2,000 a day from a person.', rateLimits),
  'mcp.key-rate': done(
    limits,
    'Everyone who uses one key on an API-key server shares its limit.',
    rateLimits,
  ),
  'mcp.limits-told': done(
    limits,
    'A call that a limit refuses is a fault of the tool, which says what is left and when to come back; a good result says what is left.',
    'service/src/channels/mcp/rate-limit-meta.ts',
  ),
  'mcp.requests-bounded': done(
    limits,
    'Listing tools and saying hello count as no calls, but requests of any kind are bounded for each caller.',
    'service/src/channels/mcp/take-mcp-limits.ts',
  ),
  'mcp.cancelled': done(
    wire,
    'A call whose client closes its connection, or cancels it, is ended with everything that works for it.',
    'service/src/channels/mcp/in-flight-calls.ts',
  ),
  'mcp.streamable-http': done(
    wire,
    'Streamable HTTP, stateless, in the current revision of the protocol.',
    serving,
  ),
  'mcp.structured': done(
    wire,
    'Tools answer text and structuredContent, and say so where they only read.',
    'service/src/channels/mcp/tool-result.ts',
  ),
  'mcp.search-result': done(
    wire,
    'A search result has title, url, content, heading_path and score.',
    searchDocs,
  ),
  'mcp.challenge': done(
    wire,
    'A missing or bad credential gets 401 with WWW-Authenticate naming the protected-resource metadata.',
    'service/src/channels/mcp/render-mcp-refusal.ts',
  ),
  'mcp.oauth': done(
    wire,
    'Sign-in servers are OAuth 2.1 resources of an authorization server here: metadata, PKCE, registration, resource indicators.',
    provider,
  ),
  'mcp.providers': done(
    wire,
    'Readers sign in through the configured identity providers at Public servers, with their account here at Internal ones and the portal.',
    'service/src/channels/oauth/connect-routes.ts',
  ),
  'mcp.conformance': done(
    wire,
    'The current revision and the one before it pass the conformance suite of the protocol, in all that a knowledge base has.',
    serving,
  ),
  'mcp.authorization-conformance': done(
    wire,
    "The authorization server passes the suite's checks: its metadata, and a code with PKCE for one server.",
    provider,
  ),
  'mcp.real-clients': done(
    wire,
    'Tools that people use connect, with a key and by signing in: the Inspector, mcp-remote, both client libraries.',
    serving,
  ),
  'mcp.clear-end': done(
    wire,
    'An old token is refreshed unseen; a sign-in that was taken back, and a server that is gone, end clearly, without a loop.',
    openReader,
  ),
} as const satisfies Record<string, Requirement>

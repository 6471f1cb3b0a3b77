import type { Requirement } from '../requirement.ts'

const spec = 'interface#authentication'
const headers = 'service/src/channels/public-api/client-credentials.ts'
const openReader = 'service/src/channels/mcp/open-reader.ts'

export const AUTHENTICATION = {
  'authentication.public-key': {
    says: 'A public key travels in the header X-Client-Key.',
    spec,
    lives: headers,
  },
  'authentication.secret-pair': {
    says: 'A secret pair travels in the headers X-Client-Id and X-Client-Secret.',
    spec,
    lives: headers,
  },
  'authentication.one-kind': {
    says: 'No credentials, half a pair, or both kinds at once are refused with 401 UNAUTHENTICATED.',
    spec: 'open-items#error-body',
    lives: headers,
  },
  'authentication.public-api-takes-client-keys': {
    says: 'Every public endpoint takes a client key and nothing else.',
    spec,
    lives: 'service/src/channels/public-api/public-caller.ts',
  },
  'authentication.management-takes-access-tokens': {
    says: 'Every management endpoint takes an access token as bearer, and no client key.',
    spec,
    lives: 'service/src/accounts/access-tokens/management-gate.ts',
  },
  'authentication.key-scope-narrows': {
    says: "A key's origins and groups limit every request; what a page sets only narrows them.",
    spec,
    lives: 'service/src/channels/public-api/request-scope.ts',
  },
  'authentication.shared-rate-limit': {
    says: 'Everyone who uses one key shares its rate limit.',
    spec,
    lives: 'service/src/channels/public-api/public-rate-limits.ts',
  },
  'authentication.not-on-internal': {
    says: 'Client keys do not work on an internal knowledge base: 403 KNOWLEDGE_BASE_INTERNAL.',
    spec,
    lives: 'service/src/accounts/client-keys/client-keys.ts',
  },
  'authentication.mcp-api-key': {
    says: 'An API-key MCP server takes a client key with MCP access as bearer, on every request; the generic one also in X-Client-Key or client_key.',
    spec,
    lives: openReader,
  },
  'authentication.mcp-public': {
    says: 'At a Public MCP server the reader signs in on first use.',
    spec,
    lives: openReader,
  },
  'authentication.mcp-internal': {
    says: 'At an Internal MCP server members sign in who may ask the knowledge base.',
    spec,
    lives: openReader,
  },
  'authentication.mcp-portal': {
    says: 'At the portal a person signs in with a browser; a web-based client needs its host allowed.',
    spec,
    lives: openReader,
  },
} as const satisfies Record<string, Requirement>

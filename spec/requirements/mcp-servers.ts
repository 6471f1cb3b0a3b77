import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/mcp-servers/mcp-servers.ts'
const schema = 'contract/src/mcp-servers.ts'
const record = 'service/src/channels/mcp-servers/present-mcp-server.ts'
const spec = 'interface#mcp-server'
const routes = 'open-items#2-management-api'

export const MCP_SERVERS = {
  'mcp-servers.address': {
    says: 'A server is at /mcp/ and its name below the service.',
    spec,
    lives: record,
  },
  'mcp-servers.no-provider-told': {
    says: 'A Public server of a service without a provider says so in its notice, and answers 503 that no retry mends.',
    spec,
    lives: record,
  },
  'mcp-servers.name-length': { says: 'A name has 3 to 63 characters.', spec, lives: schema },
  'mcp-servers.name-characters': {
    says: 'A name has lowercase letters, digits and hyphens, with none at its start or end.',
    spec,
    lives: schema,
  },
  'mcp-servers.name-reserved': {
    says: "Names such as admin, api, docs, support, portal and the service's own are refused.",
    spec,
    lives: 'contract/src/closed-lists.ts',
  },
  'mcp-servers.name-unique': {
    says: 'A name is had by one server of the whole service, whoever claims it at the same moment.',
    spec,
    lives: 'service/src/channels/mcp-servers/mcp-servers-store.ts',
  },
  'mcp-servers.external-offers': {
    says: 'An external base offers the sign-in types API key and Public, and not Internal.',
    spec,
    lives,
  },
  'mcp-servers.internal-offers': { says: 'An internal base offers Internal alone.', spec, lives },
  'mcp-servers.fixed': {
    says: 'Name and sign-in type cannot be changed: PATCH is refused with 400.',
    spec,
    lives,
  },
  'mcp-servers.list': { says: 'GET lists the servers of a base.', spec: routes, lives },
  'mcp-servers.create': { says: 'POST makes a server: 201 with the record.', spec: routes, lives },
  'mcp-servers.delete': { says: 'DELETE removes a server, and its name is free again.', spec: routes, lives },
  'mcp-servers.record': {
    says: 'A record has its name, sign-in type, address, base and times.',
    spec: 'open-items#records',
    lives: record,
  },
  'mcp-servers.usage': {
    says: 'A record has the calls and readers of the last 30 days and when it was last used; no reader is told apart with zero retention, and none is kept beyond the retention.',
    spec: 'open-items#records',
    lives: 'service/src/channels/mcp-servers/mcp-calls-store.ts',
  },
  'mcp-servers.public-by-itself': {
    says: 'A Public server named after the base is made once, where there is none, whoever loads a widget at the same moment.',
    spec,
    lives,
  },
  'mcp-servers.unavailable-because': {
    says: 'The management API says of a base whether readers may connect AI tools, and if not, why.',
    spec: routes,
    lives,
  },
  'mcp-servers.owned': {
    says: 'The servers of a base are counted before its deletion, and go with it.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
  'mcp-servers.type-switch': {
    says: 'A base that changes its type keeps no server whose sign-in the new type does not offer.',
    spec,
    lives,
  },
} as const satisfies Record<string, Requirement>

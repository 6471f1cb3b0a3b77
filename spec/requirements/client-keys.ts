import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/client-keys/client-keys.ts'
const schema = 'contract/src/client-keys.ts'
const askedBase = 'service/src/channels/public-api/open-asked-base.ts'
const cors = 'service/src/platform/http/cors.ts'
const of = 'interface#client-key'
const routes = 'open-items#2-management-api'
const records = 'open-items#records'
const onTheWire = 'open-items#3-public-api-the-parts-not-shown'

export const CLIENT_KEYS = {
  'client-keys.kinds': {
    says: 'A key is public, or a pair of a client id and a secret.',
    spec: of,
    lives: schema,
  },
  'client-keys.bare-domain': {
    says: 'A domain among allowed origins is its https origin, localhost its http one; each wrong one is one fault.',
    spec: of,
    lives: 'contract/src/fields.ts',
  },
  'client-keys.prefixes': {
    says: 'Keys begin with cw_pk_, ids with cw_id_ and secrets with cw_sk_.',
    spec: onTheWire,
    lives,
  },
  'client-keys.checksum': {
    says: 'A mistyped key is refused without a look into the storage.',
    spec: onTheWire,
    lives,
  },
  'client-keys.secret-once': {
    says: 'The secret of a pair is in the create answer alone; its hash is all that is stored.',
    spec: records,
    lives,
  },
  'client-keys.record': {
    says: 'A record has name, kind, MCP flag, origins, groups, status, last use, its base and times; a public one its key, a pair its id.',
    spec: records,
    lives: 'service/src/accounts/client-keys/present-client-key.ts',
  },
  'client-keys.with-a-base': {
    says: 'A new external base comes with a public key, given back as client_key; an internal one has none.',
    spec: 'interface#knowledge-base',
    lives,
  },
  'client-keys.list': { says: 'GET lists the keys of a base, revoked ones too.', spec: routes, lives },
  'client-keys.create': {
    says: 'POST makes a key of either kind: 201 with the record.',
    spec: routes,
    lives,
  },
  'client-keys.change': {
    says: 'PATCH changes name, origins and groups, for the very next request.',
    spec: routes,
    lives,
  },
  'client-keys.revoke': { says: 'DELETE revokes: 204, and 401 from then on.', spec: routes, lives },
  'client-keys.live-or-revoked': {
    says: 'A key is live or revoked, and never live again.',
    spec: of,
    lives: 'service/src/accounts/client-keys/client-keys-store.ts',
  },
  'client-keys.revoked-everywhere': {
    says: 'A revoked key is refused by every process, at the latest a second later.',
    spec: of,
    lives,
  },
  'client-keys.mcp-access-default': {
    says: 'MCP access is allowed unless it is said otherwise.',
    spec: of,
    lives: schema,
  },
  'client-keys.mcp-access-fixed': {
    says: 'MCP access is chosen at creation: changing it is refused with 400.',
    spec: of,
    lives: schema,
  },
  'client-keys.origins': {
    says: 'A page of another origin than those allowed is refused with 403 ORIGIN_NOT_ALLOWED.',
    spec: of,
    lives: askedBase,
  },
  'client-keys.origins-exact': {
    says: 'Origins are compared exactly, with a star for the left-most part.',
    spec: of,
    lives: cors,
  },
  'client-keys.no-origin': {
    says: 'A request without an Origin, as a server sends it, passes whatever origins are allowed.',
    spec: onTheWire,
    lives: askedBase,
  },
  'client-keys.origins-not-for-mcp': {
    says: 'Allowed origins do not count for MCP.',
    spec: of,
    lives: 'service/src/channels/mcp/open-reader.ts',
  },
  'client-keys.groups': {
    says: 'A key may be limited to source groups, which have to be of its base.',
    spec: of,
    lives,
  },
  'client-keys.groups-only-narrowed': {
    says: "A request's group_ids only narrow the groups of its key; another group is refused with 403.",
    spec: of,
    lives: 'service/src/channels/public-api/request-scope.ts',
  },
  'client-keys.not-for-internal': {
    says: 'An internal base gets no client key: 403 KNOWLEDGE_BASE_INTERNAL.',
    spec: of,
    lives,
  },
  'client-keys.stop-on-internal': {
    says: 'Live keys stop working when their base turns internal, and stay stopped when it turns back.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
  'client-keys.last-used': {
    says: 'The last use of a key is written, once a minute at most.',
    spec: records,
    lives: 'service/src/platform/storage/last-use.ts',
  },
  'client-keys.owned': {
    says: 'The keys of a base are counted before its deletion, and stop with it.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
  'client-keys.cors': {
    says: 'A page of an allowed origin may read the answer with its limits and request id; one of another may not.',
    spec: onTheWire,
    lives: cors,
  },
  'client-keys.preflight': {
    says: 'A preflight is answered without a key and without the storage, and never allows credentials.',
    spec: onTheWire,
    lives: cors,
  },
} as const satisfies Record<string, Requirement>

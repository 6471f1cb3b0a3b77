import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/permissions/permissions.ts'
const gate = 'service/src/accounts/access-tokens/management-gate.ts'
const grants = 'service/src/accounts/grants/grants.ts'
const bases = 'service/src/accounts/knowledge-bases/knowledge-bases.ts'
const publicCaller = 'service/src/channels/public-api/public-caller.ts'

export const PERMISSIONS = {
  'permissions.every-endpoint-is-tried': {
    says: 'Every management endpoint is tried with every kind of caller that may not use it.',
    spec: 'open-items#2-management-api',
    lives: gate,
  },
  'permissions.no-token': {
    says: 'Without an access token every management endpoint answers 401 UNAUTHENTICATED and changes nothing.',
    spec: 'open-items#2-management-api',
    lives: gate,
  },
  'permissions.ended-token': {
    says: 'An expired, deleted, unknown or mistyped token is 401 UNAUTHENTICATED everywhere.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/access-tokens/access-tokens.ts',
  },
  'permissions.other-workspace': {
    says: 'To somebody of another workspace no record of this one is there: 404 NOT_FOUND.',
    spec: 'open-items#2-management-api',
    lives: bases,
  },
  'permissions.foreign-ids': {
    says: 'An id of another workspace or knowledge base in a path is 404 NOT_FOUND, wherever in the path it stands.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/base-records/record-bases.ts',
  },
  'permissions.local-and-ssh': {
    says: 'Sources of folders and by ssh are as closed to others as every source, and nobody has them read beyond what the operator lists.',
    spec: 'security#1.5',
    lives: 'service/src/content/sources/sources.ts',
  },
  'permissions.own-things': {
    says: 'Endpoints that name no record tell and change only what is of the caller.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/access-tokens/access-tokens.ts',
  },
  'permissions.scopes': {
    says: 'Each endpoint needs its scope of the token, whatever the person may do: read, config or admin, each with the ones below it.',
    spec: 'open-items#2-management-api',
    lives: gate,
  },
  'permissions.told': {
    says: 'Each knowledge base says what the caller may do with it.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'permissions.sessions': {
    says: 'A signed-in browser may use every management endpoint with its session, with what its person may do at that moment, and nothing that is the operator’s.',
    spec: 'security#1.10-dashboard-cookies-csrf',
    lives: gate,
  },
  'permissions.session-csrf': {
    says: 'With a session nothing is read by a page of another site, and nothing changed without the CSRF token of that session.',
    spec: 'security#1.10-dashboard-cookies-csrf',
    lives: gate,
  },
  'permissions.owners-may': {
    says: 'Owners are refused nowhere in their workspace.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'permissions.edit-config': {
    says: 'Edit Config (archive, restore, delete, type, members switch) is of owners and admins.',
    spec: 'open-items#2-management-api',
    lives: bases,
  },
  'permissions.archive-restore-delete': {
    says: 'Archive, restore and delete need Edit Config.',
    spec: 'interface#management-api',
    lives: bases,
  },
  'permissions.type-and-switch': {
    says: 'A member with Config changes settings of a base, but neither its type nor its members switch.',
    spec: 'open-items#2-management-api',
    lives: bases,
  },
  'permissions.config': {
    says: 'Config (everything else about a base) is of owners, admins, and of members who hold it on that base.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'permissions.webhooks-need-config': {
    says: 'Registering a webhook needs Config on the knowledge base.',
    spec: 'interface#management-api',
    lives: 'service/src/channels/webhooks/webhooks.ts',
  },
  'permissions.chat': {
    says: 'Chat (asking a base as a member) is of every member while the members switch is on, else of those granted.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'permissions.members-switch': {
    says: 'With the members switch off, a member who was granted nothing reaches nothing of the base.',
    spec: 'interface#knowledge-base',
    lives,
  },
  'permissions.listed': {
    says: 'A member is listed the bases that they may reach, and no others.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/knowledge-bases/knowledge-bases-store.ts',
  },
  'permissions.grants': {
    says: 'Who holds Edit Config grants single members Config and Chat on a base, replaces and takes back grants.',
    spec: 'open-items#2-management-api',
    lives: grants,
  },
  'permissions.grants-of-workspace': {
    says: 'Owners and admins list the grants on all knowledge bases of their workspace; nobody else does.',
    spec: 'open-items#2-management-api',
    lives: grants,
  },
  'permissions.grants-at-once': {
    says: 'A grant, and its end, count from the next request on.',
    spec: 'interface#mcp-servers',
    lives: grants,
  },
  'permissions.grants-to-members': {
    says: 'Only members of the workspace are granted anything; owners and admins need no grant.',
    spec: 'open-items#2-management-api',
    lives: grants,
  },
  'permissions.create-bases': {
    says: 'Owners, admins and members make knowledge bases; a member who makes one may set it up and ask it.',
    spec: 'interface#knowledge-base',
    lives,
  },
  'permissions.instance-operator': {
    says: 'What is of the whole instance (diagnostics) is told to its operator alone.',
    spec: 'open-items#2-management-api',
    lives: gate,
  },
  'permissions.public-no-key': {
    says: 'Without a client key, with a revoked one, or with an access token in its place, every public endpoint answers 401.',
    spec: 'open-items#error-body',
    lives: publicCaller,
  },
  'permissions.public-other-base': {
    says: 'A client key opens its own knowledge base alone, whatever a path or body names.',
    spec: 'interface#authentication',
    lives: 'service/src/channels/public-api/open-asked-base.ts',
  },
  'permissions.public-internal-archived': {
    says: 'No client key opens anything of an internal or archived knowledge base.',
    spec: 'interface#knowledge-base-1',
    lives: publicCaller,
  },
} as const satisfies Record<string, Requirement>

import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/access-tokens/access-tokens.ts'
const ofMembers = 'service/src/accounts/members/member-tokens.ts'

export const ACCESS_TOKENS = {
  'access-tokens.form': {
    says: 'Access tokens begin with cw_pat_, belong to a person, and have a name and scopes.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.shown-once': {
    says: 'A token is shown once, when it is made, and stored as a hash.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.bearer': {
    says: 'A token is sent as Authorization: Bearer.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/access-tokens/management-gate.ts',
  },
  'access-tokens.expire': {
    says: 'A token may have an expiry, after which it is refused.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.scopes': {
    says: 'A token has the scopes read, config or admin.',
    spec: 'open-items#2-management-api',
    lives: 'contract/src/endpoint.ts',
  },
  'access-tokens.make-needs-admin': {
    says: 'Tokens are made and deleted with a token of the scope admin.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.own': {
    says: 'A person lists and deletes their own tokens alone.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.deleted-at-once': {
    says: 'A deleted token is refused at the next request.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.from-command-line': {
    says: 'The command line makes tokens too.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/app/cli/token.ts',
  },
  'access-tokens.from-the-dashboard': {
    says: 'The dashboard makes tokens too.',
    spec: 'open-items#2-management-api',
    lives: 'dashboard/src/rooms/me/access-tokens.tsx',
  },
  'access-tokens.seen-by-owners': {
    says: 'Owners and admins list the access tokens with which a member reaches their workspace, never the tokens themselves.',
    spec: 'open-items#2-management-api',
    lives: ofMembers,
  },
  'access-tokens.revoked-by-owners': {
    says: 'Owners and admins revoke the access tokens of members, from the next request on.',
    spec: 'open-items#2-management-api',
    lives: ofMembers,
  },
  'access-tokens.revoked-here-alone': {
    says: 'A token that is revoked in one workspace works on in the others of its person, and makes none that reaches that one.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/access-tokens/member-tokens.ts',
  },
  'access-tokens.owners-of-owners': {
    says: 'Admins neither see nor revoke tokens of owners, and nobody those of somebody who is only invited.',
    spec: 'open-items#2-management-api',
    lives: ofMembers,
  },
  'access-tokens.no-longer': {
    says: 'A token makes no token that outlives it.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'access-tokens.signed-out-everywhere': {
    says: 'Signing out everywhere, and a change of password, also revoke access tokens where that is asked for; else they stay.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/sessions/sessions.ts',
  },
  'access-tokens.ended-by-recovery': {
    says: 'A password that is set by a link revokes every access token of its person, but those of whoever operates the instance.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/passwords/passwords.ts',
  },
  'access-tokens.last-used': {
    says: 'A token tells when it was last used.',
    spec: 'open-items#2-management-api',
    lives,
  },
} as const satisfies Record<string, Requirement>

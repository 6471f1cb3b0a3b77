import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/access-tokens'

export const ACCESS_TOKENS = {
  'access-tokens.form': {
    says: 'Access tokens begin with cw_pat_, belong to a person, and have a name and scopes.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.shown-once': {
    says: 'A token is shown once, when it is made, and stored as a hash.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.bearer': {
    says: 'A token is sent as Authorization: Bearer.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.expire': {
    says: 'A token may have an expiry, after which it is refused.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.scopes': {
    says: 'A token has the scopes read, config or admin.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.make-needs-admin': {
    says: 'Tokens are made and deleted with a token of the scope admin.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.own': {
    says: 'A person lists and deletes their own tokens alone.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.deleted-at-once': {
    says: 'A deleted token is refused at the next request.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
  'access-tokens.from-command-line': {
    says: 'The command line makes tokens too.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/app/cli',
  },
  'access-tokens.from-the-dashboard': {
    says: 'The dashboard makes tokens too.',
    spec: 'open-items#2-management-api',
    lives: lives,
    deferred: 'The dashboard is a later issue.',
  },
  'access-tokens.last-used': {
    says: 'A token tells when it was last used.',
    spec: 'open-items#2-management-api',
    lives: lives,
  },
} as const satisfies Record<string, Requirement>

import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/members/members.ts'
const invitations = 'service/src/accounts/members/invitations.ts'

export const MEMBERS = {
  'members.list': {
    says: 'Every member reads who is in the workspace, with e-mail, name, role, and whether they have joined.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'members.invite': {
    says: 'Owners and admins invite by e-mail with a role; the answer carries a link, shown once, stored as a hash.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'members.invite-again': {
    says: 'Inviting somebody again makes a new link and ends the one before; a member is not invited again.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'members.claim-once': {
    says: 'Of many who open an invitation at once, one becomes the member and gets a first access token.',
    spec: 'open-items#2-management-api',
    lives: invitations,
  },
  'members.claim-lapses': {
    says: 'An invitation ends after seven days, or when it is taken back.',
    spec: 'open-items#2-management-api',
    lives: invitations,
  },
  'members.claim-needs-account': {
    says: 'Whoever has an account here joins with a token of it: the link alone never opens the account of another.',
    spec: 'open-items#2-management-api',
    lives: invitations,
  },
  'members.roles': {
    says: 'The roles are owner, admin and member.',
    spec: 'open-items#2-management-api',
    lives: 'contract/src/closed-lists.ts',
  },
  'members.change-role': {
    says: 'Owners and admins change roles, which counts at the next request.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'members.last-owner': {
    says: 'The last owner is neither demoted nor removed, also when two owners do it to each other at once.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'members.admins-and-owners': {
    says: 'Admins neither invite, make, change nor remove owners.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/members/member-rules.ts',
  },
  'members.removed': {
    says: 'A removed member reaches nothing of the workspace from the next request on; tokens that reach nothing else are deleted.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'members.operator-tokens-stay': {
    says: 'Who is removed takes no token of the operator along: it goes on, with the account of the first owner that is left.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/members/end-account.ts',
  },
  'members.delete-own-account': {
    says: 'A person deletes their own account: they leave every workspace, and their sessions, tokens, password, linked providers, grants, invitations and connected tools end immediately. The log of each workspace says it, and names them for 30 days.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/members/own-account.ts',
  },
  'members.delete-own-account-proof': {
    says: 'It takes the password of the account; without one, a browser that was signed in within ten minutes. Guesses are slowed down as those of signing in.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/sign-in/own-account-routes.ts',
  },
  'members.delete-own-account-last-owner': {
    says: 'The only owner of a workspace is refused with its name, also when two owners leave at the same time.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/members/own-account.ts',
  },
  'members.removed-grants': {
    says: 'Grants end with the membership: somebody who comes back starts without them.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/members/members-store.ts',
  },
} as const satisfies Record<string, Requirement>

import type { Requirement } from '../requirement.ts'

const passwords = 'service/src/accounts/passwords/passwords.ts'
const sessionRules = 'service/src/accounts/sessions/sessions.ts'
const identities = 'service/src/accounts/external-identities/external-identities.ts'
const throttle = 'service/src/channels/sign-in/sign-in-throttle.ts'
const plainPage = 'service/src/platform/http/plain-page.ts'
const cookies = 'security#1.10-dashboard-cookies-csrf'
const sessions = 'security#1.2-owasp-asvs-5.0-items-that-bind-us'
const accounts = 'open-items#4-mcp-on-the-wire'
const row = (spec: Requirement['spec'], says: string, lives: string) => ({ says, spec, lives }) as const

export const SIGN_IN = {
  'sign-in.password': row(
    accounts,
    'A member signs in with e-mail and password, and lands where they wanted to go.',
    'service/src/channels/sign-in/sign-in-routes.ts',
  ),
  'sign-in.provider': row(
    accounts,
    'A member signs in with an outside provider that they linked, or were invited with.',
    'service/src/channels/sign-in/external-sign-in-routes.ts',
  ),
  'sign-in.id-token-signature': row(
    accounts,
    'An ID token is refused if no published key of its provider has signed it.',
    'service/src/channels/sign-in/identity-provider.ts',
  ),
  'sign-in.linking': row(
    accounts,
    'An unlinked identity is taken for an account by a verified e-mail alone, and only where the account has no other way in.',
    identities,
  ),
  'sign-in.invitation-of-known': row(
    accounts,
    'An invitation of somebody with an account is accepted by that account alone.',
    'service/src/accounts/members/invitations.ts',
  ),
  'sign-in.cookie': row(
    cookies,
    'The session cookie is of this host alone, HttpOnly, SameSite=Lax, 256 random bits, and only its hash is stored.',
    'service/src/channels/sign-in/host-cookie.ts',
  ),
  'sign-in.rotated': row(
    sessions,
    'Each sign-in makes a new session; the one before is over.',
    'service/src/channels/sign-in/browser-sessions.ts',
  ),
  'sign-in.expiry': row(
    sessions,
    'A session is over after 12 hours without use, and after 30 days at most.',
    sessionRules,
  ),
  'sign-in.ended-at-once': row(
    sessions,
    'Signing out, signing out everywhere and being removed end sessions at the next request.',
    sessionRules,
  ),
  'sign-in.own-sessions': row(
    sessions,
    'A person sees in which browsers they are signed in, since when and when last, which is this one, and ends any of them.',
    sessionRules,
  ),
  'sign-in.password-change': row(sessions, 'A new password ends every other session.', passwords),
  'sign-in.no-foreign-change': row(
    cookies,
    'No form, request or picture of another site changes anything.',
    'service/src/channels/sign-in/csrf.ts',
  ),
  'sign-in.provider-login-csrf': row(
    cookies,
    'Only the browser that went to a provider can come back from it.',
    'service/src/channels/sign-in/pending-login.ts',
  ),
  'sign-in.own-way-back': row(
    cookies,
    'After signing in nobody is sent to another site.',
    'service/src/channels/sign-in/safe-redirect.ts',
  ),
  'sign-in.no-enumeration': row(
    sessions,
    'An unknown e-mail and a wrong password have the same answer, after the same time.',
    passwords,
  ),
  'sign-in.throttled': row(
    sessions,
    'After ten failures of an account, or thirty from an address, in a quarter of an hour attempts take turns: one in five seconds for the account, one in twenty for the address.',
    throttle,
  ),
  'sign-in.nobody-locked-out': row(
    sessions,
    'Failures of others keep nobody out: with the right password a browser that the account knows gets in at once, any other after some turns.',
    'service/src/channels/sign-in/sign-in-turns.ts',
  ),
  'sign-in.known-browser': row(
    sessions,
    'A browser in which somebody signed in has ten failures of its own, until the password is changed.',
    throttle,
  ),
  'sign-in.argon2id': row(
    sessions,
    'Passwords are hashed with Argon2id, at a cost that can be raised.',
    'service/src/accounts/passwords/password-hash.ts',
  ),
  'sign-in.password-rules': row(
    sessions,
    'A password has 12 to 128 characters of any kind, and is none that is guessed first.',
    'service/src/accounts/passwords/password-rules.ts',
  ),
  'sign-in.password-link': row(
    accounts,
    'Whoever operates the instance makes a link, once and for a day, with which a member sets a password.',
    passwords,
  ),
  'sign-in.changes-logged': row(
    'security#112-audit-log-integrity',
    'A new password, a provider that is linked or unlinked, and signing out everywhere are in the activity log of the person’s workspaces.',
    'service/src/accounts/activity-log/record-activity.ts',
  ),
  'sign-in.reset-disconnects': row(
    sessions,
    'A password that is set by a link ends the sessions and the connected tools of its person.',
    passwords,
  ),
  'sign-in.shown-holds': row(
    sessions,
    'A session begins only if what was shown to sign in still holds at that moment.',
    'service/src/accounts/sessions/sessions-store.ts',
  ),
  'sign-in.recovered': row(
    sessions,
    'A new password ends the links for setting one; one that was set by a link also takes linked providers away.',
    passwords,
  ),
  'sign-in.taken-over': row(
    accounts,
    'Whoever is linked by a verified e-mail starts with none of the access tokens, sessions and tools of before.',
    identities,
  ),
  'sign-in.accessible': row(
    accounts,
    'axe finds no fault with any page that this service serves to people.',
    plainPage,
  ),
  'sign-in.without-script': row(
    accounts,
    'No page of signing in, accounts and consent needs script: every action is a form or a link.',
    plainPage,
  ),
} as const satisfies Record<string, Requirement>

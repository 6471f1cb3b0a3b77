import { createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { parse as parseCookies } from 'hono/utils/cookie'
import type { Sessions, SignInProof } from '../../accounts/sessions/sessions.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { hostCookie } from './host-cookie.ts'
import type { KnownDevices } from './known-devices.ts'

/** A member, in a signed-in browser. */
export interface SignedInMember {
  userId: string
  email: string
  name: string
  sessionId: string
  /** The CSRF token for the field `csrf` of each form: see `isCsrfValid`. */
  csrf: string
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string
}

export interface BrowserSessionsDeps {
  sessions: Pick<Sessions, 'begin' | 'holderOf' | 'memberOf' | 'end'>
  knownDevices: Pick<KnownDevices, 'remember'>
  publicUrl: () => string
  /** Key that CSRF tokens are derived from. */
  formKey: string
}

/** Sign-in sessions of browsers. */
export function createBrowserSessions({ sessions, knownDevices, publicUrl, formKey }: BrowserSessionsDeps) {
  const cookie = () => hostCookie('citewell_session', publicUrl())
  const tokenOf = (context: Context<HttpEnv>) => getCookie(context, cookie().name)

  const csrfOf = (sessionId: string) =>
    createHmac('sha256', formKey).update(`session ${sessionId}`).digest('base64url')

  /**
   * The signed-in member as a caller of the management API; undefined if the browser is not signed in. A session reaches what its member
   * reaches, but nothing that is the operator's: that takes an access token of the machine.
   */
  async function callerOf(headers: Headers): Promise<Caller | undefined> {
    const { name } = cookie()
    const token = parseCookies(headers.get('cookie') ?? '', name)[name]
    const member = token === undefined ? undefined : await sessions.memberOf(token)
    if (member === undefined) return undefined
    const { userId, workspaces, grants, sessionId: id, createdAt: begunAt, expiresAt } = member
    const session = { id, csrf: csrfOf(id), begunAt, expiresAt }
    return { userId, workspaces, grants, tokenId: null, session, scopes: ['admin'], isOperator: false }
  }

  /** Looked up at each request, so that a session ends immediately, wherever it was ended. */
  async function personOf(context: Context<HttpEnv>): Promise<SignedInMember | undefined> {
    const token = tokenOf(context)
    const holder = token === undefined ? undefined : await sessions.holderOf(token)
    if (holder === undefined) return undefined
    const { userId, email, name, sessionId } = holder
    return { userId, email, name, sessionId, csrf: csrfOf(sessionId), publicUrl: publicUrl() }
  }

  /** Ends the session of the browser. */
  async function signOut(context: Context<HttpEnv>): Promise<void> {
    const token = tokenOf(context)
    if (token !== undefined) await sessions.end(token)
    const { name, attributes } = cookie()
    setCookie(context, name, '', { ...attributes, maxAge: 0 })
  }

  /** Signs the browser in, always with a new session: a session cookie that an attacker planted is worthless (session fixation). */
  async function signIn(context: Context<HttpEnv>, userId: string, proof?: SignInProof): Promise<void> {
    const before = tokenOf(context)
    if (before !== undefined) await sessions.end(before)
    const token = await sessions.begin(userId, proof, context.req.header('user-agent'))
    const { name, attributes } = cookie()
    // A session cookie: the server decides when the session expires.
    setCookie(context, name, token, attributes)
    await knownDevices.remember(context, userId)
  }

  return { personOf, callerOf, signIn, signOut }
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>

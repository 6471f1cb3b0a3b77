import { createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Sessions, SignInProof } from '../../accounts/sessions/sessions.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { hostCookie } from './host-cookie.ts'
import type { KnownDevices } from './known-devices.ts'

/** Somebody with an account here, in a browser that is signed in. */
export interface SignedInMember {
  userId: string
  email: string
  name: string
  sessionId: string
  /** For the field `csrf` of each form: see `isOwnForm`. */
  csrf: string
  /** Where the service is reached, without a slash at its end. */
  publicUrl: string
}

export interface BrowserSessionsDeps {
  sessions: Pick<Sessions, 'begin' | 'holderOf' | 'end'>
  knownDevices: Pick<KnownDevices, 'remember'>
  publicUrl: () => string
  /** What the tokens of forms are made from. */
  formKey: string
}

/** Which member a browser is signed in as. */
export function createBrowserSessions({ sessions, knownDevices, publicUrl, formKey }: BrowserSessionsDeps) {
  const cookie = () => hostCookie('citewell_session', publicUrl())
  const tokenOf = (context: Context<HttpEnv>) => getCookie(context, cookie().name)

  /** Looked up at each request: a session that was ended, here or elsewhere, is over at once. */
  async function personOf(context: Context<HttpEnv>): Promise<SignedInMember | undefined> {
    const token = tokenOf(context)
    const holder = token === undefined ? undefined : await sessions.holderOf(token)
    if (holder === undefined) return undefined
    const { userId, email, name, sessionId } = holder
    const csrf = createHmac('sha256', formKey).update(`session ${sessionId}`).digest('base64url')
    return { userId, email, name, sessionId, csrf, publicUrl: publicUrl() }
  }

  /** Ends what the browser was signed in as. */
  async function signOut(context: Context<HttpEnv>): Promise<void> {
    const token = tokenOf(context)
    if (token !== undefined) await sessions.end(token)
    const { name, attributes } = cookie()
    setCookie(context, name, '', { ...attributes, maxAge: 0 })
  }

  /** Signs the browser in: always with a new session, so that one which somebody else put there is worth nothing. */
  async function signIn(context: Context<HttpEnv>, userId: string, proof?: SignInProof): Promise<void> {
    const before = tokenOf(context)
    if (before !== undefined) await sessions.end(before)
    const token = await sessions.begin(userId, proof)
    const { name, attributes } = cookie()
    // For as long as the browser runs: how long a session is good is decided here.
    setCookie(context, name, token, attributes)
    await knownDevices.remember(context, userId)
  }

  return { personOf, signIn, signOut }
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>

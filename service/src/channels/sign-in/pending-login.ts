import { hash } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { parseJson } from '../../kernel/json.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { SealError, type Sealer } from '../../platform/secrets/sealed.ts'
import { hostCookie } from './host-cookie.ts'
import type { ProviderLogin } from './identity-provider.ts'

/** Why a browser was sent to an identity provider. */
export type Intent =
  | { for: 'sign-in'; to: string }
  /** To link the provider to the account of this session. */
  | { for: 'link'; sessionId: string }
  | { for: 'invitation'; code: string }
  | { for: 'setup'; code: string }

export interface PendingLogin {
  providerId: string
  login: ProviderLogin
  intent: Intent
}

export interface PendingLoginsDeps {
  sealer: Sealer
  now: () => Date
  publicUrl: () => string
}

const LIFETIME_SECONDS = 10 * 60

/** One cookie for each: people sign in in two tabs. */
const nameOf = (state: string) => `citewell_login_${hash('sha256', state, 'base64url').slice(0, 16)}`

const placeOf = (state: string) => ({ table: 'pending_logins', row: state, column: 'cookie' })

/**
 * Remembers why a browser was sent to an identity provider, in an encrypted cookie. Only the same browser can come back: a callback
 * that an attacker started elsewhere finds no cookie (login CSRF).
 */
export function createPendingLogins({ sealer, now, publicUrl }: PendingLoginsDeps) {
  const cookieFor = (state: string) => hostCookie(nameOf(state), publicUrl())

  function keep(context: Context<HttpEnv>, pending: PendingLogin): void {
    const { name, attributes } = cookieFor(pending.login.state)
    const kept = { ...pending, until: now().getTime() + LIFETIME_SECONDS * 1_000 }
    const sealed = sealer.seal(JSON.stringify(kept), placeOf(pending.login.state))
    setCookie(context, name, sealed, { ...attributes, maxAge: LIFETIME_SECONDS })
  }

  /** Returns the pending login of this browser and clears it; undefined if there is none or it has expired. */
  function take(context: Context<HttpEnv>, state: string): PendingLogin | undefined {
    const { name, attributes } = cookieFor(state)
    const sealed = getCookie(context, name)
    if (sealed === undefined) return undefined
    setCookie(context, name, '', { ...attributes, maxAge: 0 })
    try {
      const kept = parseJson(sealer.open(sealed, placeOf(state))) as PendingLogin & { until: number }
      return kept.until > now().getTime() ? kept : undefined
    } catch (fault) {
      if (fault instanceof SealError) return undefined
      throw fault
    }
  }

  return { keep, take }
}

export type PendingLogins = ReturnType<typeof createPendingLogins>

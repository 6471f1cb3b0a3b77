import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { parseJson } from '../../kernel/json.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { SealError, type Sealer } from '../../platform/secrets/sealed.ts'
import { hostCookie } from './host-cookie.ts'
import type { OutsideLogin } from './outside-provider.ts'

/** What somebody goes to a provider for. */
export type Intent =
  | { for: 'sign-in'; to: string }
  /** To link it to the account that this session is of. */
  | { for: 'link'; sessionId: string }
  | { for: 'invitation'; code: string }
  | { for: 'setup'; code: string }

export interface PendingLogin {
  providerId: string
  login: OutsideLogin
  intent: Intent
}

export interface PendingLoginsDeps {
  sealer: Sealer
  now: () => Date
  publicUrl: () => string
}

const LIVES_SECONDS = 10 * 60

const placeOf = (state: string) => ({ table: 'pending_logins', row: state, column: 'cookie' })

/**
 * Remembers, in the browser itself and sealed, what it went to a provider for. Only the browser that went can come back: an answer
 * that somebody else fetched and sent it with finds no cookie.
 */
export function createPendingLogins({ sealer, now, publicUrl }: PendingLoginsDeps) {
  const cookie = () => hostCookie('citewell_login', publicUrl())

  function keep(context: Context<HttpEnv>, pending: PendingLogin): void {
    const { name, attributes } = cookie()
    const kept = { ...pending, until: now().getTime() + LIVES_SECONDS * 1_000 }
    const sealed = sealer.seal(JSON.stringify(kept), placeOf(pending.login.state))
    setCookie(context, name, sealed, { ...attributes, maxAge: LIVES_SECONDS })
  }

  /** What this browser went there for, once; undefined where it did not, or too long ago. */
  function take(context: Context<HttpEnv>, state: string): PendingLogin | undefined {
    const { name, attributes } = cookie()
    const sealed = getCookie(context, name)
    setCookie(context, name, '', { ...attributes, maxAge: 0 })
    if (sealed === undefined || state === '') return undefined
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

import { createHash } from 'node:crypto'
import type { DeskAccount } from '../../help-desk.ts'
import { readDesk } from '../desk-http.ts'
import { HelpscoutToken } from './helpscout-schemas.ts'

const MAX_BYTES = 100_000
/** A token is renewed this long before it ends; it holds for two days. */
const RENEWED_BEFORE_MS = 5 * 60 * 1_000
const MOST_TOKENS = 1_000

const WORDS = {
  desk: 'Help Scout',
  refused:
    'Help Scout gave no token: app_id and app_secret are not those of an app of an active user. Compare them with “Your profile”, “My apps”, of the user that answers.',
  // RFC 6749, section 5.2: also the status for credentials that are wrong.
  meanings: { 400: 'refused', 404: 'refused' },
} as const

interface Kept {
  /** Asked for once, however many wait for it: it goes on when one of them does not wait any longer. */
  given: Promise<{ value: string; until: number }>
  /** Undefined until it is there. */
  value: string | undefined
  until: number
}

/** Waits for what others wait for as well. @throws the reason of the signal, if it is aborted first */
async function waitFor<Value>(given: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const { promise: left, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  return await Promise.race([given, left]).finally(() => signal.removeEventListener('abort', leave))
}

/** The tokens that apps were given for their credentials, kept until shortly before they end. */
export function createHelpscoutTokens(now: () => number) {
  const kept = new Map<string, Kept>()

  const keyOf = (api: string, { credentials }: DeskAccount) =>
    createHash('sha256')
      .update(JSON.stringify([api, credentials['app_id'], credentials['app_secret']]))
      .digest('hex')

  async function ask(api: string, account: DeskAccount): Promise<{ value: string; until: number }> {
    const body = {
      grant_type: 'client_credentials',
      client_id: account.credentials['app_id'] ?? '',
      client_secret: account.credentials['app_secret'] ?? '',
    }
    const url = `${api}/oauth2/token`
    const request = { url, method: 'POST' as const, headers: {}, body, maxBytes: MAX_BYTES }
    // Of no caller: each request of a help desk has an end of its own.
    const { signal } = new AbortController()
    const given = await readDesk(request, HelpscoutToken, { ...account, signal }, WORDS)
    const { access_token: value = '', expires_in: seconds = 0 } = given?.body ?? {}
    return { value, until: now() + seconds * 1_000 - RENEWED_BEFORE_MS }
  }

  return {
    /** @throws DeskFailure */
    get: async (api: string, account: DeskAccount): Promise<string> => {
      const key = keyOf(api, account)
      const found = kept.get(key)
      if (found !== undefined && found.until > now())
        return (await waitFor(found.given, account.signal)).value
      if (kept.size >= MOST_TOKENS) kept.clear()
      const fresh: Kept = { given: ask(api, account), value: undefined, until: Infinity }
      kept.set(key, fresh)
      void fresh.given.then(
        (token) => Object.assign(fresh, token),
        () => kept.get(key) === fresh && kept.delete(key),
      )
      return (await waitFor(fresh.given, account.signal)).value
    },
    /** It was not accepted: another one is asked for next time, unless that has happened already. */
    forget: (api: string, account: DeskAccount, token: string): void => {
      const key = keyOf(api, account)
      if (kept.get(key)?.value === token) kept.delete(key)
    },
  }
}

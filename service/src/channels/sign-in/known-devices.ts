import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { hostCookie } from './host-cookie.ts'
import { isEqualInConstantTime } from '../../kernel/secrets.ts'

export interface KnownDevicesDeps {
  passwords: Pick<Passwords, 'stampOf' | 'stampOfEmail'>
  publicUrl: () => string
  formKey: string
}

/** A random id of 128 bits, and its HMAC. */
const COOKIE_ENTRY = /^([\w-]{22})\.([\w-]{43})$/

/** Accounts per browser. */
const MAX_ACCOUNTS = 4

/** In seconds. Browsers keep a cookie for at most 400 days. */
const LIFETIME_SECONDS = 180 * 24 * 60 * 60

/**
 * Browsers in which a member has signed in. An attacker who guesses passwords remotely has none of these cookies, and so cannot use up
 * the attempts of those who do. A cookie belongs to one account and its current password: it does not sign anyone in, does not reveal
 * the account, and a new password ends it.
 */
export function createKnownDevices({ passwords, publicUrl, formKey }: KnownDevicesDeps) {
  const cookie = () => hostCookie('citewell_device', publicUrl())
  const seal = (id: string, stamp: string) =>
    createHmac('sha256', formKey).update(`device ${id} ${stamp}`).digest('base64url')

  const entriesOf = (context: Context<HttpEnv>) =>
    (getCookie(context, cookie().name) ?? '').split('~', MAX_ACCOUNTS).flatMap((entry) => {
      const [, id = '', proof = ''] = COOKIE_ENTRY.exec(entry) ?? []
      return id === '' ? [] : [{ entry, id, proof }]
    })

  const knownAs = (context: Context<HttpEnv>, stamp: string | undefined) =>
    stamp === undefined
      ? undefined
      : entriesOf(context).find(({ id, proof }) => isEqualInConstantTime(seal(id, stamp), proof))?.id

  /** Marks this browser as known to the account. Does nothing for an account without a password, which cannot be guessed. */
  async function remember(context: Context<HttpEnv>, userId: string): Promise<void> {
    const stamp = await passwords.stampOf(userId)
    if (stamp === undefined || knownAs(context, stamp) !== undefined) return
    const id = randomBytes(16).toString('base64url')
    const entries = [`${id}.${seal(id, stamp)}`, ...entriesOf(context).map(({ entry }) => entry)]
    const { name, attributes } = cookie()
    setCookie(context, name, entries.slice(0, MAX_ACCOUNTS).join('~'), {
      ...attributes,
      maxAge: LIFETIME_SECONDS,
    })
  }

  return {
    remember,
    /** The id of this browser, if the account with this e-mail knows it. */
    deviceFor: async (context: Context<HttpEnv>, email: string): Promise<string | undefined> =>
      entriesOf(context).length === 0 ? undefined : knownAs(context, await passwords.stampOfEmail(email)),
  }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>

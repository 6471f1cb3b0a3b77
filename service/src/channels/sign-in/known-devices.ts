import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { hostCookie } from './host-cookie.ts'
import { isSameText } from './own-form.ts'

export interface KnownDevicesDeps {
  passwords: Pick<Passwords, 'stampOf' | 'stampOfEmail'>
  publicUrl: () => string
  formKey: string
}

/** A random name of 128 bits, and what shows that it was given out here. */
const ENTRY = /^([\w-]{22})\.([\w-]{43})$/

/** People who share a browser. */
const MOST_ACCOUNTS = 4

/** In seconds: as long as browsers keep a cookie is 400 days. */
const LASTS_SECONDS = 180 * 24 * 60 * 60

/**
 * Browsers in which somebody has signed in. Whoever guesses passwords from afar has none of these cookies, and so cannot use up the
 * attempts of those who do. A cookie is of one account and of its present password: it is no way in, says nothing of whose it is, and
 * a new password ends it.
 */
export function createKnownDevices({ passwords, publicUrl, formKey }: KnownDevicesDeps) {
  const cookie = () => hostCookie('citewell_device', publicUrl())
  const seal = (id: string, stamp: string) =>
    createHmac('sha256', formKey).update(`device ${id} ${stamp}`).digest('base64url')

  const entriesOf = (context: Context<HttpEnv>) =>
    (getCookie(context, cookie().name) ?? '').split('~', MOST_ACCOUNTS).flatMap((entry) => {
      const [, id = '', proof = ''] = ENTRY.exec(entry) ?? []
      return id === '' ? [] : [{ entry, id, proof }]
    })

  const knownAs = (context: Context<HttpEnv>, stamp: string | undefined) =>
    stamp === undefined
      ? undefined
      : entriesOf(context).find(({ id, proof }) => isSameText(seal(id, stamp), proof))?.id

  /** Keeps in mind that somebody has signed in here; nothing where they have no password that could be guessed. */
  async function remember(context: Context<HttpEnv>, userId: string): Promise<void> {
    const stamp = await passwords.stampOf(userId)
    if (stamp === undefined || knownAs(context, stamp) !== undefined) return
    const id = randomBytes(16).toString('base64url')
    const entries = [`${id}.${seal(id, stamp)}`, ...entriesOf(context).map(({ entry }) => entry)]
    const { name, attributes } = cookie()
    setCookie(context, name, entries.slice(0, MOST_ACCOUNTS).join('~'), {
      ...attributes,
      maxAge: LASTS_SECONDS,
    })
  }

  return {
    remember,
    /** What stands for this browser where the account with this e-mail knows it. */
    deviceFor: async (context: Context<HttpEnv>, email: string): Promise<string | undefined> =>
      entriesOf(context).length === 0 ? undefined : knownAs(context, await passwords.stampOfEmail(email)),
  }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>

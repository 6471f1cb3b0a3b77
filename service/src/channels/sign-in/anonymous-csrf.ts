import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { hostCookie } from './host-cookie.ts'
import { isSameOrigin } from '../../platform/http/same-origin.ts'
import { isEqualInConstantTime } from '../../kernel/secrets.ts'

export interface AnonymousCsrfDeps {
  publicUrl: () => string
  formKey: string
}

/** 256 random bits in base64url. */
const COOKIE_VALUE = /^[\w-]{43}$/

/**
 * CSRF tokens of browsers that are not signed in. Their forms need one too: otherwise another site could sign a browser in to an account
 * of the attacker, and read what the user then does there (login CSRF).
 */
export function createAnonymousCsrf({ publicUrl, formKey }: AnonymousCsrfDeps) {
  const cookie = () => hostCookie('citewell_form', publicUrl())
  const tokenOf = (value: string) =>
    createHmac('sha256', formKey).update(`guest ${value}`).digest('base64url')

  /** The token for the field `csrf`. Sets the cookie that it is derived from. */
  function csrfFor(context: Context<HttpEnv>): string {
    const { name, attributes } = cookie()
    const known = getCookie(context, name) ?? ''
    const value = COOKIE_VALUE.test(known) ? known : randomBytes(32).toString('base64url')
    if (value !== known) setCookie(context, name, value, attributes)
    return tokenOf(value)
  }

  /** Whether a form was sent by a page that this service showed in this browser. */
  function isValid(context: Context<HttpEnv>, body: Record<string, unknown>): boolean {
    const value = getCookie(context, cookie().name)
    return (
      value !== undefined &&
      isSameOrigin(context.req.raw.headers, publicUrl()) &&
      isEqualInConstantTime(tokenOf(value), body['csrf'])
    )
  }

  return { csrfFor, isValid }
}

export type AnonymousCsrf = ReturnType<typeof createAnonymousCsrf>

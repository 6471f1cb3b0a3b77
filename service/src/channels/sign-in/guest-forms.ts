import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { hostCookie } from './host-cookie.ts'
import { isFromHere, isSameText } from './own-form.ts'

export interface GuestFormsDeps {
  publicUrl: () => string
  formKey: string
}

/** 256 random bits in base64url. */
const COOKIE_VALUE = /^[\w-]{43}$/

/**
 * The forms of people who are not signed in yet. They need a token too: else another site could sign a browser in as somebody whom
 * it chose, and read what is then done there.
 */
export function createGuestForms({ publicUrl, formKey }: GuestFormsDeps) {
  const cookie = () => hostCookie('citewell_form', publicUrl())
  const tokenOf = (value: string) =>
    createHmac('sha256', formKey).update(`guest ${value}`).digest('base64url')

  /** For the field `csrf`. The browser is given a cookie that belongs to it. */
  function csrfFor(context: Context<HttpEnv>): string {
    const { name, attributes } = cookie()
    const known = getCookie(context, name) ?? ''
    const value = COOKIE_VALUE.test(known) ? known : randomBytes(32).toString('base64url')
    if (value !== known) setCookie(context, name, value, attributes)
    return tokenOf(value)
  }

  /** Whether a form was sent by a page that this service showed in this browser. */
  function isOwn(context: Context<HttpEnv>, body: Record<string, unknown>): boolean {
    const value = getCookie(context, cookie().name)
    return value !== undefined && isFromHere(context, publicUrl()) && isSameText(tokenOf(value), body['csrf'])
  }

  return { csrfFor, isOwn }
}

export type GuestForms = ReturnType<typeof createGuestForms>

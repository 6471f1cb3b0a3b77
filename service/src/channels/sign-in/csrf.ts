import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'

/** Compares two texts in constant time. */
export function isEqualInConstantTime(left: string, right: unknown): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(typeof right === 'string' ? right : '')]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Whether a request comes from a page of this service, according to headers that scripts cannot forge in a browser: `Sec-Fetch-Site`, and
 * `Origin` if that is missing (older browsers, and addresses without TLS).
 */
export function isSameOrigin(context: Context<HttpEnv>, publicUrl: string): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = context.req.header('origin')
  if (origin === undefined) return true
  const from = URL.parse(origin)
  if (from === null) return false
  return from.origin === new URL(publicUrl).origin || from.host === context.req.header('host')
}

/** What the form of a signed-in member is checked against. */
export interface FormOwner {
  /** The CSRF token of their session; the field `csrf` of each form. */
  csrf: string
  /** Public URL of the service. */
  publicUrl: string
}

/** Whether a form was sent by a page that this service showed to this member (CSRF check). */
export const isCsrfValid = (
  context: Context<HttpEnv>,
  owner: FormOwner,
  body: Record<string, unknown>,
): boolean => isSameOrigin(context, owner.publicUrl) && isEqualInConstantTime(owner.csrf, body['csrf'])

/** The refusal of a form that fails the CSRF check. */
export const csrfRefusal = (): Refusal =>
  new Refusal('FORBIDDEN', {
    because: 'This form is out of date, or was not sent from this page. Please try again.',
  })

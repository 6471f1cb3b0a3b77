import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'

/** Whether two texts are the same; takes the same time wherever they differ. */
export function isSameText(left: string, right: unknown): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(typeof right === 'string' ? right : '')]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Whether a request comes from a page of this service, as far as the browser says. It is asked in what browsers cannot be made to
 * send otherwise: `Sec-Fetch-Site`, and `Origin` where that is missing (older browsers, and addresses without TLS).
 */
export function isFromHere(context: Context<HttpEnv>, publicUrl: string): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = context.req.header('origin')
  if (origin === undefined) return true
  const from = URL.parse(origin)
  if (from === null) return false
  return from.origin === new URL(publicUrl).origin || from.host === context.req.header('host')
}

/** What a form of somebody who is signed in has to show. */
export interface FormOwner {
  /** Of their session alone; stands in each form as the field `csrf`. */
  csrf: string
  /** Where the service is reached. */
  publicUrl: string
}

/** Whether a form was sent by a page that this service showed to this person: no other site can have it sent. */
export const isOwnForm = (
  context: Context<HttpEnv>,
  owner: FormOwner,
  body: Record<string, unknown>,
): boolean => isFromHere(context, owner.publicUrl) && isSameText(owner.csrf, body['csrf'])

/** What a page that takes this form says where it was sent by something else. */
export const notFromHere = (): Refusal =>
  new Refusal('FORBIDDEN', {
    because: 'This form is out of date, or was not sent from this page. Please try again.',
  })

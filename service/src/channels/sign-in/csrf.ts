import type { Context } from 'hono'
import { Refusal } from '../../kernel/refusal.ts'
import { isEqualInConstantTime } from '../../kernel/secrets.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { isSameOrigin } from '../../platform/http/same-origin.ts'

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
): boolean =>
  isSameOrigin(context.req.raw.headers, owner.publicUrl) && isEqualInConstantTime(owner.csrf, body['csrf'])

/** The refusal of a form that fails the CSRF check. */
export const csrfRefusal = (): Refusal =>
  new Refusal('FORBIDDEN', {
    because: 'This form is out of date, or was not sent from this page. Please try again.',
  })

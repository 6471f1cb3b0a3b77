import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from './http-app.ts'

/** A page's form only holds a code or a token and a choice. */
const MAX_FORM_BYTES = 16_384

/** Limits the size of forms, which are read into memory whole and come from unauthenticated clients. Use it before each form route. */
export const limitForm: MiddlewareHandler<HttpEnv> = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new Refusal('PAYLOAD_TOO_LARGE', { because: 'The form is too large.' })
  },
})

import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from './http-app.ts'

/** A page's form holds a code or a token and a choice. */
const MOST_FORM_BYTES = 16_384

/** Stands before a page that takes a form: whoever sends it is a stranger, and a form is read into memory whole. */
export const limitForm: MiddlewareHandler<HttpEnv> = bodyLimit({
  maxSize: MOST_FORM_BYTES,
  onError: () => {
    throw new Refusal('PAYLOAD_TOO_LARGE', { because: 'The form is too large.' })
  },
})

import { verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'

/** The clocks of others may differ by so much. */
const MAX_SKEW_SECONDS = 300
const MAX_TOKEN = 10_000

const Header = z.looseObject({ alg: z.literal('RS256'), kid: z.string().min(1).max(300) })

const Times = z.looseObject({ exp: z.number(), nbf: z.number().optional() })

/** The token of a request. Nothing of it is proven yet. */
export interface BearerToken<Claims> {
  kid: string
  claims: Claims
  /** Header and claims, as they were signed. */
  signed: string
  signature: string
}

const decoded = (part: string | undefined): unknown =>
  parseJson(Buffer.from(part ?? '', 'base64url').toString('utf8'))

/** The RS256 token with which a platform proves a request; undefined if there is none with such claims. */
export function bearerTokenOf<Claims>(
  headers: Headers,
  schema: z.ZodType<Claims>,
): BearerToken<Claims> | undefined {
  const [, token = ''] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(headers.get('authorization') ?? '') ?? []
  if (token.length > MAX_TOKEN) return undefined
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = Header.safeParse(decoded(head)).data
  const claims = schema.safeParse(decoded(body)).data
  if (header === undefined || claims === undefined) return undefined
  return { kid: header.kid, claims, signed: `${head}.${body}`, signature }
}

/** Whether a token says that it is valid now. Its claims have to be a loose object. */
export function isCurrentToken({ claims }: BearerToken<unknown>, now: Date): boolean {
  const times = Times.safeParse(claims).data
  if (times === undefined) return false
  const seconds = now.getTime() / 1_000
  return seconds <= times.exp + MAX_SKEW_SECONDS && seconds >= (times.nbf ?? 0) - MAX_SKEW_SECONDS
}

export const isSignedWith = (key: KeyObject, { signed, signature }: BearerToken<unknown>): boolean =>
  verify('RSA-SHA256', Buffer.from(signed), key, Buffer.from(signature, 'base64url'))

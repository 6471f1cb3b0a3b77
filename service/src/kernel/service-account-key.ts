import { createSign } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from './json.ts'

/** Of the JSON key that Google makes, what is used. Its `token_uri` is not: an assertion would be sent to whatever address it names. */
const ServiceAccountKey = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3).max(320),
  private_key: z.string().min(100).max(10_000),
  private_key_id: z.string().max(200).optional(),
})

export type ServiceAccountKey = z.infer<typeof ServiceAccountKey>

/** Undefined if a text is no JSON key of a service account. */
export const parseServiceAccountKey = (json: string): ServiceAccountKey | undefined =>
  ServiceAccountKey.safeParse(parseJson(json)).data

export const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** Google takes at most an hour. */
const ASSERTION_SECONDS = 3_600

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * The fields with which a service account asks for a token: RFC 7523, as
 * https://developers.google.com/identity/protocols/oauth2/service-account has it.
 *
 * @param given.actAs a user of the domain, for an account with domain-wide delegation
 * @throws Error if the private key is damaged
 */
export function serviceAccountGrant(
  { client_email: email, private_key: secret, private_key_id: keyId }: ServiceAccountKey,
  { scope, actAs = null, now }: { scope: string; actAs?: string | null; now: number },
): { grant_type: string; assertion: string } {
  const issued = Math.floor(now / 1_000)
  const claims = {
    iss: email,
    scope,
    aud: GOOGLE_TOKEN_URL,
    iat: issued,
    exp: issued + ASSERTION_SECONDS,
    ...(actAs !== null && { sub: actAs }),
  }
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) }
  const content = `${encoded(header)}.${encoded(claims)}`
  const signature = createSign('RSA-SHA256').update(content).sign(secret, 'base64url')
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${content}.${signature}`,
  }
}

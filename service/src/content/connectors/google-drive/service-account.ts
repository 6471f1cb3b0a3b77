import { createSign } from 'node:crypto'
import { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import type { OwnTokens } from '../rest/own-tokens.ts'

/** Of the JSON key, what is used. Its `token_uri` is not: an assertion would be sent to whatever address it names. */
const ServiceAccountKey = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3).max(320),
  private_key: z.string().min(100).max(10_000),
  private_key_id: z.string().max(200).optional(),
})

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const API = 'https://www.googleapis.com'

/** Google takes at most an hour. */
const ASSERTION_SECONDS = 3_600

const HOW =
  'In the Google Cloud console open IAM & Admin › Service accounts › the account › Keys › Add key › JSON, and enter the whole file.'

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * How a service account gets tokens: RFC 7523, as https://developers.google.com/identity/protocols/oauth2/service-account has it.
 *
 * @param given.json the file that Google made
 * @param given.actAs a user of the domain, for an account with domain-wide delegation
 * @throws SourceFailure if it is no such file
 */
export function serviceAccount(
  { json, actAs, tokenOrigin }: { json: string; actAs: string | null; tokenOrigin: string | undefined },
  now: () => number,
): OwnTokens {
  const key = ServiceAccountKey.safeParse(parsed(json))
  if (!key.success) throw new SourceFailure(`This is not the JSON key of a service account. ${HOW}`)
  const { client_email: email, private_key: secret, private_key_id: keyId } = key.data

  function assertion(): string {
    const issued = Math.floor(now() / 1_000)
    const claims = {
      iss: email,
      scope: SCOPE,
      aud: TOKEN_URL,
      iat: issued,
      exp: issued + ASSERTION_SECONDS,
      ...(actAs !== null && { sub: actAs }),
    }
    const content = `${encoded({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })}.${encoded(claims)}`
    try {
      return `${content}.${createSign('RSA-SHA256').update(content).sign(secret, 'base64url')}`
    } catch (cause) {
      throw new SourceFailure(`The private key in the JSON key of the service account is damaged. ${HOW}`, {
        cause,
      })
    }
  }

  return {
    account: `${email} ${actAs ?? ''}`,
    name: 'Google',
    tokenUrl: tokenOrigin === undefined ? TOKEN_URL : `${tokenOrigin}/token`,
    origins: [API],
    fields: () => ({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertion() }),
    ifRefused:
      actAs === null
        ? `Check that the key was not deleted, and the clock of this machine. ${HOW}`
        : `Check that the service account may act for ${actAs}: Google Admin › Security › API controls › Domain-wide delegation, with the scope ${SCOPE}.`,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

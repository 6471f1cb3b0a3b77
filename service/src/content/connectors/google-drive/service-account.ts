import {
  GOOGLE_TOKEN_URL,
  parseServiceAccountKey,
  serviceAccountGrant,
} from '../../../kernel/service-account-key.ts'
import { SourceFailure } from '../connector.ts'
import type { OwnTokens } from '../rest/own-tokens.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const API = 'https://www.googleapis.com'

const HOW =
  'In the Google Cloud console open IAM & Admin › Service accounts › the account › Keys › Add key › JSON, and enter the whole file.'

/**
 * How a service account gets tokens.
 *
 * @param given.json the file that Google made
 * @param given.actAs a user of the domain, for an account with domain-wide delegation
 * @throws SourceFailure if it is no such file
 */
export function serviceAccount(
  { json, actAs, tokenOrigin }: { json: string; actAs: string | null; tokenOrigin: string | undefined },
  now: () => number,
): OwnTokens {
  const key = parseServiceAccountKey(json)
  if (key === undefined) throw new SourceFailure(`This is not the JSON key of a service account. ${HOW}`)

  const fields = (): Record<string, string> => {
    try {
      return serviceAccountGrant(key, { scope: SCOPE, actAs, now: now() })
    } catch (cause) {
      throw new SourceFailure(`The private key in the JSON key of the service account is damaged. ${HOW}`, {
        cause,
      })
    }
  }

  return {
    account: `${key.client_email} ${actAs ?? ''}`,
    name: 'Google',
    tokenUrl: tokenOrigin === undefined ? GOOGLE_TOKEN_URL : `${tokenOrigin}/token`,
    origins: [API],
    fields,
    ifRefused:
      actAs === null
        ? `Check that the key was not deleted, and the clock of this machine. ${HOW}`
        : `Check that the service account may act for ${actAs}: Google Admin › Security › API controls › Domain-wide delegation, with the scope ${SCOPE}.`,
  }
}

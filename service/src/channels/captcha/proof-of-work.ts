import type { CaptchaChallenge } from '@citewell/contract/captcha'
import type { CaptchaAction } from '@citewell/contract/endpoint'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import type { TokenVerdict, VerifyToken } from './token-verdict.ts'

const ALGORITHM = 'PBKDF2/SHA-256'

/**
 * PBKDF2 iterations per try. The derived key must start with one given byte, so a browser needs 256 tries on average: some tenths of a
 * second per request, which a reader does not notice and a scraper pays every time. Checking costs one try.
 */
const ROUNDS = 5_000
const KEY_PREFIX = '00'

/** A reader may keep the page open for a while between getting a challenge and asking. */
const CHALLENGE_SECONDS = 600

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(ALGORITHM),
      nonce: z.string().max(200),
      salt: z.string().max(200),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string().max(64),
      expiresAt: z.number(),
      data: z.object({ action: z.string(), key: z.string() }),
    }),
    signature: z.string().max(200),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string().max(200), time: z.number().optional() }),
})

const refused = (because: string): TokenVerdict => ({ kind: 'refused', because })
const EXPIRED = 'The check has expired. Please try again with a new one.'
const NOT_PASSED = 'The check did not pass. Please try again.'

export interface ProofOfWork {
  /** A challenge for one action and one client key. */
  issue(clientKeyId: string, action: CaptchaAction): Promise<CaptchaChallenge>
  verify: VerifyToken
}

/**
 * A check without a third party: the browser does some work, and this service verifies it (altcha, version 2). The token is the Base64 of
 * the JSON of challenge and solution.
 *
 * @param deps.signingSecret the same in every process: the challenge of one may be verified by another
 */
export function createProofOfWork(deps: { signingSecret: string; now: () => Date }): ProofOfWork {
  return {
    issue: async (clientKeyId, action) => {
      const expiresAt = Math.floor(deps.now().getTime() / 1_000) + CHALLENGE_SECONDS
      const data = { action, key: clientKeyId }
      const { parameters, signature = '' } = await createChallenge({
        algorithm: ALGORITHM,
        cost: ROUNDS,
        keyPrefix: KEY_PREFIX,
        deriveKey,
        expiresAt,
        data,
        hmacSignatureSecret: deps.signingSecret,
      })
      return { parameters: { ...parameters, expiresAt, data }, signature }
    },
    verify: async ({ token, action, clientKeyId }) => {
      const parsed = Payload.safeParse(parseJson(Buffer.from(token, 'base64').toString('utf8')))
      if (!parsed.success) return refused(NOT_PASSED)
      const { challenge, solution } = parsed.data
      const { data, expiresAt } = challenge.parameters
      if (expiresAt * 1_000 < deps.now().getTime()) return refused(EXPIRED)
      const result = await verifySolution({
        // Exactly what was signed: the signature covers all of it.
        challenge,
        solution: { counter: solution.counter, derivedKey: solution.derivedKey },
        deriveKey,
        hmacSignatureSecret: deps.signingSecret,
      })
      if (!result.verified) return refused(result.expired ? EXPIRED : NOT_PASSED)
      if (data.action !== action || data.key !== clientKeyId)
        return refused('The check was made for something else. Please try again with a new one.')
      // The challenge is spent, not the token: the same solution has many encodings, and a challenge may have many solutions.
      return { kind: 'passed', spend: challenge.signature, validSeconds: CHALLENGE_SECONDS }
    },
  }
}

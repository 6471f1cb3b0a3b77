import { z } from 'zod'
import { CAPTCHA_ACTIONS, declareEndpoints, GET } from './endpoint.ts'

export const CaptchaChallenge = z
  .object({
    parameters: z
      .object({
        algorithm: z.string().meta({ examples: ['PBKDF2/SHA-256'] }),
        nonce: z.string().meta({ examples: ['9f3c1b7e5a2d4f68b0c1d2e3f4a5b6c7'] }),
        salt: z.string().meta({ examples: ['0a1b2c3d4e5f60718293a4b5c6d7e8f9'] }),
        cost: z
          .int()
          .meta({ description: 'Rounds of the key derivation, for one attempt.', examples: [5_000] }),
        keyLength: z.int().meta({ description: 'Bytes of the derived key.', examples: [32] }),
        keyPrefix: z
          .string()
          .meta({ description: 'Required prefix of the derived key, in hex.', examples: ['00'] }),
        expiresAt: z.int().meta({ description: 'Seconds since 1970.', examples: [1_773_065_712] }),
        data: z.record(z.string(), z.string()).describe('The purpose of the challenge.'),
      })
      .describe('Send it back unchanged: the signature covers all of it.'),
    signature: z.string().meta({ examples: ['b1946ac92492d2347c6235b4d2611184…'] }),
  })
  .meta({
    id: 'CaptchaChallenge',
    description: 'A challenge of the self-hosted CAPTCHA (altcha, version 2), in the format of its clients.',
  })

export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>

export const CAPTCHA_ENDPOINTS = declareEndpoints({
  getCaptchaChallenge: {
    caller: 'public-key',
    room: 'channels/captcha',
    group: 'Widgets',
    ...GET('/api/v1/public/captcha-challenge'),
    summary: 'Fetch a CAPTCHA challenge',
    description:
      'If the self-hosted CAPTCHA is on. Find a counter whose derived key has the prefix, and send the Base64 of the JSON `{"challenge": {…}, "solution": {"counter": …, "derivedKey": "…"}}` as `X-Captcha-Token`, once, with a request of this action.',
    query: z.object({
      action: z
        .enum(CAPTCHA_ACTIONS)
        .meta({ description: 'The action that the token is for.', examples: ['chat'] }),
    }),
    answer: { status: 200, body: CaptchaChallenge },
    refusals: ['NOT_FOUND'],
  },
})

import { createHmac } from 'node:crypto'

/** How a platform proves a delivery, so that every wrong proof can be tried. */
export interface PlatformProof {
  /** The noun of its integrations in paths. */
  noun: 'bots' | 'helpdesk-integrations'
  fields: object
  /** The credentials with which the integration verifies proofs made with this secret. */
  credentials(secret: string): Record<string, string>
  /** A body that does nothing. */
  body: string
  sign(given: {
    body: string
    secret: string
    at: Date
  }): Record<string, string> | Promise<Record<string, string>>
  /** The headers that are the proof. */
  proves: readonly string[]
  /** Whether the proof includes the time and the body. */
  signsTime: boolean
  signsBody: boolean
}

/** Every platform that has a hook. */
export const PLATFORM_PROOFS: Record<string, PlatformProof> = {
  slack: {
    noun: 'bots',
    fields: { platform: 'slack' },
    credentials: (secret) => ({ bot_token: 'xoxb-1', signing_secret: secret }),
    body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }),
    sign: ({ body, secret, at }) => {
      const timestamp = String(Math.floor(at.getTime() / 1_000))
      const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
      return {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${hmac}`,
      }
    },
    proves: ['x-slack-request-timestamp', 'x-slack-signature'],
    signsTime: true,
    signsBody: true,
  },
}

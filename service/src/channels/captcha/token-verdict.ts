import type { CaptchaAction } from '@citewell/contract/endpoint'

/** One token, as it came with a request. */
export interface AskedToken {
  token: string
  action: CaptchaAction
  clientKeyId: string
  /** Of the reader, as an IP address; undefined where nobody can be told apart. */
  address: string | undefined
  signal: AbortSignal
}

/** What became of a token. Words are for the reader or the operator, and never hold the token. */
export type TokenVerdict =
  /** `spend`: what stands for this token, however it is written; it is accepted once. Until `lasts` (seconds) are over. */
  | { kind: 'passed'; spend: string; lasts: number }
  | { kind: 'refused'; because: string }
  /** The verifier is down, slow or says nonsense; it may be well again in a moment. */
  | { kind: 'unavailable'; cause: unknown }
  /** The verifier does not accept our own secret: no token can pass until the operator changes a setting. */
  | { kind: 'misconfigured'; cause: unknown }

export type VerifyToken = (asked: AskedToken) => Promise<TokenVerdict>

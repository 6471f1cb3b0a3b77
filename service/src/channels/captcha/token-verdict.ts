import type { CaptchaAction } from '@citewell/contract/endpoint'

/** A token, as it came with a request. */
export interface TokenToVerify {
  token: string
  action: CaptchaAction
  clientKeyId: string
  /** IP address of the reader; undefined if it is unknown. */
  address: string | undefined
  signal: AbortSignal
}

/** The result of checking a token. Messages are for the reader or the operator, and never contain the token. */
export type TokenVerdict =
  /** `spend`: a canonical form of this token, whatever its encoding; it is accepted once within `validSeconds` seconds. */
  | { kind: 'passed'; spend: string; validSeconds: number }
  | { kind: 'refused'; because: string }
  /** The verifier is down, slow or sends invalid responses; a retry may succeed. */
  | { kind: 'unavailable'; cause: unknown }
  /** The verifier does not accept our own secret: no token can pass until the operator changes a setting. */
  | { kind: 'misconfigured'; cause: unknown }

export type VerifyToken = (asked: TokenToVerify) => Promise<TokenVerdict>

import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../kernel/secrets.ts'

/** Clocks may differ by so much, and a request may be on its way for so long: most platforms ask for five minutes. */
const MAX_SKEW_MS = 300_000

/** Whether a request says to be of now; what is no time is not. */
export const isRecent = (at: number, now: Date): boolean => Math.abs(now.getTime() - at) <= MAX_SKEW_MS

/** Whether a platform signed these parts, one after the other, with a secret. Nothing is signed without one. */
export function isSigned(
  given: string | null,
  {
    secret,
    parts,
    hash = 'sha256',
    as,
    prefix = '',
  }: {
    secret: string
    parts: readonly (string | Uint8Array)[]
    hash?: 'sha1' | 'sha256'
    as: 'hex' | 'base64'
    /** Before the signature. */
    prefix?: string
  },
): boolean {
  const hmac = createHmac(hash, secret)
  for (const part of parts) hmac.update(part)
  return secret !== '' && isEqualInConstantTime(`${prefix}${hmac.digest(as)}`, given)
}

import { createPublicKey, verify } from 'node:crypto'
import { isRecent } from '../../../platform-hooks/platform-hooks.ts'

/** What precedes the 32 bytes of an Ed25519 key in the form that `createPublicKey` reads (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether a request was signed by Discord for the application with this public key (hex): Ed25519 over timestamp and raw body. */
export function isSignedByDiscord(
  { headers, rawBody }: { headers: Headers; rawBody: Uint8Array },
  publicKey: string,
  now: Date,
): boolean {
  const timestamp = headers.get('x-signature-timestamp') ?? ''
  const signature = headers.get('x-signature-ed25519') ?? ''
  if (!/^[0-9a-f]{64}$/i.test(publicKey) || !/^[0-9a-f]{128}$/i.test(signature)) return false
  if (!/^\d{1,12}$/.test(timestamp) || !isRecent(Number(timestamp) * 1_000, now)) return false
  const key = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, Buffer.concat([Buffer.from(timestamp), rawBody]), key, Buffer.from(signature, 'hex'))
}

import { hkdfSync } from 'node:crypto'

/** The key that signs challenges: derived from the operator's secret, or from the master key, which all processes share. */
export const signingSecretOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'citewell proof of work', 32)).toString('hex')

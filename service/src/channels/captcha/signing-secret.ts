import { hkdfSync } from 'node:crypto'

/** The key that challenges are signed with: made from the operator's secret, or from the master key, which every process has. */
export const signingSecretOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'citewell proof of work', 32)).toString('hex')

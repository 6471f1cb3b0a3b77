import { hkdfSync, randomBytes } from 'node:crypto'
import { keepSecret, type CaptchaDb } from './captcha-store.ts'

const NAME = 'proof-of-work'

/**
 * The key that challenges are signed with: derived from the operator's secret, or from one that is made once and stored. It is
 * read once and kept.
 */
export function createSigningSecret(deps: {
  db: CaptchaDb
  /** Of the settings; undefined: the stored one. */
  secret: string | undefined
  now: () => Date
}): () => Promise<string> {
  let known: Promise<string> | undefined

  async function read(): Promise<string> {
    const secret =
      deps.secret ??
      (await keepSecret(deps.db, {
        name: NAME,
        secret: randomBytes(32).toString('base64url'),
        now: deps.now(),
      }))
    return Buffer.from(hkdfSync('sha256', secret, '', 'citewell proof of work', 32)).toString('hex')
  }

  return async () => {
    known ??= read().catch((error: unknown) => {
      // The next request tries again.
      known = undefined
      throw error
    })
    return await known
  }
}

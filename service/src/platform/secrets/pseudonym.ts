import { createHmac } from 'node:crypto'

/** Keyed, deterministic hash (HMAC) of a name; not reversible without the master key. */
export type PseudonymOf = (name: string) => string

const HEX_CHARACTERS = 32

/**
 * Pseudonyms by the oldest of the master keys, so that they stay the same after a key rotation.
 *
 * @example
 * createPseudonyms(masterKeys)('ada@example.com') // 'masked-8c1f…'
 */
export function createPseudonyms(masterKeys: readonly [string, ...string[]]): PseudonymOf {
  const key = masterKeys.at(-1) ?? masterKeys[0]
  return (name) => {
    const digest = createHmac('sha256', key).update('citewell pseudonym\0').update(name.trim().toLowerCase())
    return `masked-${digest.digest('hex').slice(0, HEX_CHARACTERS)}`
  }
}

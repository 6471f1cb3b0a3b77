import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Where a sealed text is stored. It is bound to this place: moved to another row or column, it does not open. */
export interface SealedPlace {
  table: string
  /** The row's id. */
  row: string
  column: string
}

/** Encrypts texts that the service must read again: keys of model providers, signing secrets. What is only compared is hashed. */
export interface Sealer {
  /** Text for a column: `cws1.<key id>.<nonce, ciphertext and tag>`. A new nonce each time. */
  seal(text: string, place: SealedPlace): string
  /** Decrypts. Throws `SealError` if the text was moved, changed, or sealed with a key that is missing. */
  open(sealed: string, place: SealedPlace): string
}

/** A sealed text that cannot be opened. The message names the place, never the text. */
export class SealError extends Error {
  constructor(because: string) {
    super(because)
    this.name = 'SealError'
  }
}

/** What `open` opens; undefined if it cannot be opened. For rows that must not wait until their key is there again. */
export function openedOrNothing<Opened>(open: () => Opened): Opened | undefined {
  try {
    return open()
  } catch (fault) {
    if (fault instanceof SealError) return undefined
    throw fault
  }
}

const VERSION = 'cws1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Minimum length of a master key. */
export const MASTER_KEY_MIN_CHARACTERS = 32

/**
 * A sealer for one or more master keys, each a text of 32 characters or more. The first one seals, all of them open: to rotate the key,
 * put the new one first and keep the old one after it.
 *
 * @example
 * const sealer = createSealer([masterKey])
 * const place = { table: 'webhook_triggers', row: id, column: 'sealed_secret' }
 * sealer.open(sealer.seal('whsec_…', place), place) // 'whsec_…'
 */
export function createSealer(masterKeys: readonly [string, ...string[]]): Sealer {
  const keys = new Map(
    masterKeys.map((masterKey) => {
      if (masterKey.length < MASTER_KEY_MIN_CHARACTERS)
        throw new SealError(`a master key needs ${MASTER_KEY_MIN_CHARACTERS} characters or more`)
      const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'citewell sealed columns', KEY_BYTES))
      return [keyIdOf(key), key] as const
    }),
  )
  const [[sealingKeyId, sealingKey] = []] = keys
  if (sealingKeyId === undefined || sealingKey === undefined) throw new SealError('there is no master key')

  return {
    seal: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(boundTo(place))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${sealingKeyId}.${sealed.toString('base64url')}`
    },

    open: (sealed, place) => {
      const name = `${place.table}.${place.column} of ${place.row}`
      const [version, keyId, body] = sealed.split('.')
      if (version !== VERSION || keyId === undefined || body === undefined)
        throw new SealError(`${name} is not a sealed text`)
      const key = keys.get(keyId)
      if (key === undefined)
        throw new SealError(`${name} was sealed with another key (${keyId}): set CITEWELL_SECRET_KEY to it`)
      const bytes = Buffer.from(body, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealError(`${name} is truncated`)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(boundTo(place))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch {
        throw new SealError(`${name} was changed, or moved from another row`)
      }
    },
  }
}

/** Identifies a key without revealing anything about it. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8)
}

function boundTo({ table, row, column }: SealedPlace): Buffer {
  return Buffer.from(`${table}:${row}:${column}`, 'utf8')
}

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The prefix of a credential, by which people and secret scanners recognise its kind: an access token, a public client key, the two
 * halves of a secret pair, and the codes of set-up, invitation and password links.
 */
export type SecretPrefix = 'cw_pat_' | 'cw_pk_' | 'cw_id_' | 'cw_sk_' | 'cw_set_' | 'cw_inv_' | 'cw_pwd_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 28 characters of a 62-character alphabet are 166 random bits. */
const RANDOM_CHARACTERS = 28
const CHECKSUM_CHARACTERS = 6

/** The largest multiple of 62 in a byte: larger bytes would make the first characters of the alphabet more likely. */
const FAIR_BYTES = 248

function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % 62] ?? ''
    }
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    written = (ALPHABET[rest % 62] ?? '') + written
    rest = Math.floor(rest / 62)
  }
  return written
}

/** Compares two texts in constant time. What is no text equals nothing. */
export function isEqualInConstantTime(left: string, right: unknown): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(typeof right === 'string' ? right : '')]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Makes a credential: prefix, 28 random characters, and a checksum of 6.
 *
 * @example
 * newSecret('cw_pk_') // 'cw_pk_V2pXg0cV1vJqkRb8nH3tYw5ZsE7u0aQd1MxK'
 */
export function newSecret(prefix: SecretPrefix): string {
  const text = prefix + randomText(RANDOM_CHARACTERS)
  return text + checksum(text)
}

/**
 * Whether a text has the shape of such a credential, and whether its checksum is right: `mistyped` is known to be wrong without a
 * look-up.
 */
export function inspectSecret(text: string, prefix: SecretPrefix): 'well-formed' | 'mistyped' | 'other' {
  const length = prefix.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS
  if (!text.startsWith(prefix) || text.length !== length) return 'other'
  const checked = text.slice(0, -CHECKSUM_CHARACTERS)
  return checksum(checked) === text.slice(-CHECKSUM_CHARACTERS) ? 'well-formed' : 'mistyped'
}

/** SHA-256 in hex: the only form that is stored. A slow hash would add nothing: the text has 166 random bits. */
export function hashSecret(text: string): string {
  return hash('sha256', text)
}

/** Whether a text has this hash, compared in constant time. */
export function isHashOf(stored: string, text: string): boolean {
  const expected = Buffer.from(stored, 'hex')
  const given = hash('sha256', text, 'buffer')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../kernel/refusal.ts'

const argon2id = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, hash: Buffer) => void) =>
    argon2('argon2id', parameters, done),
)

/** What a hash costs: RFC 9106 names the parameters, OWASP these values. Memory in KiB. */
export interface HashCost {
  memory: number
  passes: number
  parallelism: number
}

const HASH_COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 }

const SALT_BYTES = 16
const HASH_BYTES = 32

/** Limits for concurrent and for queued hashes, so that a flood of sign-ins takes a bounded amount of memory and processor. */
const MAX_CONCURRENT = 2
const MAX_QUEUED = 40

/** `goesFirst`: for a known browser, which a flood of other requests must not delay. */
export interface HashTurn {
  goesFirst?: boolean
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/

/**
 * Hashes passwords with Argon2id. A stored hash names its own cost, so that a raised cost is applied as people sign in.
 *
 * @example
 * const hasher = createPasswordHasher()
 * await hasher.isHashOf(await hasher.hash('staircase-lemon-42'), 'staircase-lemon-42') // true
 */
export function createPasswordHasher(cost: HashCost = HASH_COST) {
  const first: (() => void)[] = []
  const others: (() => void)[] = []
  let running = 0

  async function runQueued<Result>({ goesFirst }: HashTurn, work: () => Promise<Result>): Promise<Result> {
    const waiting = goesFirst === true ? first : others
    if (running >= MAX_CONCURRENT) {
      if (waiting.length >= MAX_QUEUED)
        throw new Refusal('UNAVAILABLE', {
          because: 'Many people are signing in at this moment. Please try again.',
        })
      await new Promise<void>((go) => {
        waiting.push(go)
      })
    } else running += 1
    try {
      return await work()
    } finally {
      // The longest waiting request takes over the slot.
      const next = first.shift() ?? others.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  const derive = async (password: string, nonce: Buffer, of: HashCost, turn: HashTurn = {}) =>
    await runQueued(
      turn,
      async () =>
        await argon2id({
          message: Buffer.from(normalizePassword(password)),
          nonce,
          tagLength: HASH_BYTES,
          ...of,
        }),
    )

  /** In the PHC string format, with a new salt. */
  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const derived = await derive(password, salt, cost)
    return `${phcPrefix(cost)}${base64(salt)}$${base64(derived)}`
  }

  /** Whether a stored hash is of this password. A text that is not a hash in this format matches no password. */
  async function isHashOf(stored: string, password: string, turn: HashTurn = {}): Promise<boolean> {
    const [, memory, passes, parallelism, salt, expected] = PHC.exec(stored) ?? []
    if (salt === undefined || expected === undefined) return false
    const of = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
    const derived = await derive(password, Buffer.from(salt, 'base64'), of, turn)
    return timingSafeEqual(derived, Buffer.from(expected, 'base64'))
  }

  let unmatched: Promise<string> | undefined
  return {
    hash,
    isHashOf,
    /** Takes as long as `isHashOf`. Used for unknown users, so that they cannot be told from a wrong password by time. */
    simulateVerification: async (password: string): Promise<void> => {
      unmatched ??= hash(randomBytes(SALT_BYTES).toString('hex'))
      await isHashOf(await unmatched, password)
    },
    /** Whether a hash was computed with another cost than the current one. */
    isOutdated: (stored: string): boolean => !stored.startsWith(phcPrefix(cost)),
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Two keyboards may encode the same letter differently. */
const normalizePassword = (password: string) => password.normalize('NFKC')

const phcPrefix = ({ memory, passes, parallelism }: HashCost) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

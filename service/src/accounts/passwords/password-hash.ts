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

/** Hashes that are made at once, and people who may wait for theirs: a flood of sign-ins takes no more memory and processor than this. */
const AT_ONCE = 2
const MAY_WAIT = 40

/** `goesFirst`: for a browser that is known, which a flood of others must not keep waiting. */
export interface HashTurn {
  goesFirst?: boolean
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/

/**
 * Hashes passwords with Argon2id. What is stored names its own cost, so that a raised one is met as people sign in.
 *
 * @example
 * const hasher = createPasswordHasher()
 * await hasher.isHashOf(await hasher.hash('staircase-lemon-42'), 'staircase-lemon-42') // true
 */
export function createPasswordHasher(cost: HashCost = HASH_COST) {
  const first: (() => void)[] = []
  const others: (() => void)[] = []
  let running = 0

  async function inTurn<Result>({ goesFirst }: HashTurn, work: () => Promise<Result>): Promise<Result> {
    const waiting = goesFirst === true ? first : others
    if (running >= AT_ONCE) {
      if (waiting.length >= MAY_WAIT) {
        throw new Refusal('UNAVAILABLE', {
          because: 'Many people are signing in at this moment. Please try again.',
        })
      }
      await new Promise<void>((go) => {
        waiting.push(go)
      })
    } else running += 1
    try {
      return await work()
    } finally {
      // Whoever waits longest takes the place over.
      const next = first.shift() ?? others.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  const derive = async (password: string, nonce: Buffer, of: HashCost, turn: HashTurn = {}) =>
    await inTurn(
      turn,
      async () =>
        await argon2id({ message: Buffer.from(sameForm(password)), nonce, tagLength: HASH_BYTES, ...of }),
    )

  /** In the PHC form, with a salt of its own. */
  async function hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const derived = await derive(password, salt, cost)
    return `${beginOf(cost)}${base64(salt)}$${base64(derived)}`
  }

  /** Whether this password was hashed. A text that is no such hash is of no password. */
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
    /** Takes as long as `isHashOf`: for whoever is not there, so that it cannot be told from a wrong password. */
    pretend: async (password: string): Promise<void> => {
      unmatched ??= hash(randomBytes(SALT_BYTES).toString('hex'))
      await isHashOf(await unmatched, password)
    },
    /** Whether a hash was made at another cost than today's. */
    isOutdated: (stored: string): boolean => !stored.startsWith(beginOf(cost)),
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Two keyboards may write one letter in two ways. */
const sameForm = (password: string) => password.normalize('NFKC')

const beginOf = ({ memory, passes, parallelism }: HashCost) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '')

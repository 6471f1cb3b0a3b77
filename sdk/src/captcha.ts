import { CitewellError } from './citewell-error.ts'
import type { CaptchaAction } from './client-options.ts'
import { unlessAborted } from './deadline.ts'
import { createHttp, type HttpOptions } from './http.ts'

/** A challenge of the service: find a counter whose derived key begins with the prefix. */
interface Challenge {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    /** Rounds of the key derivation, for one attempt. */
    cost: number
    /** Bytes of the derived key. */
    keyLength: number
    /** Hex. */
    keyPrefix: string
    /** Seconds since 1970. */
    expiresAt: number
  }
  signature: string
}

/** What {@link createAltcha} takes. */
export interface AltchaOptions extends HttpOptions {
  clientKey: string
}

/** Solves the CAPTCHA that the service itself offers: give it to `createClient` as `captcha`. */
export interface Altcha {
  (action: CaptchaAction, signal?: AbortSignal): Promise<string>
  /** Begins to solve a challenge before it is needed, so that nobody waits for it. */
  prepare(action: CaptchaAction): void
}

interface Made {
  token: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** A token is not used in its last seconds: it has to arrive as well. */
const MARGIN_MS = 10_000
/** Attempts at the same time: `crypto.subtle` works on other threads. */
const LANES = 4
/** Even 50,000 attempts are some minutes, for a challenge that takes 256 on average. */
const MOST_ATTEMPTS = 50_000

const fromHex = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const failed = (message: string) => new CitewellError(message, { code: 'CAPTCHA_FAILED', retryable: false })

/**
 * The token of a challenge: Base64 of the JSON of the challenge and its solution.
 *
 * @throws CitewellError `CAPTCHA_FAILED` if it cannot be solved here
 */
export async function solveAltcha(challenge: object): Promise<string> {
  const { parameters } = challenge as Challenge
  const [name = '', hash = ''] = parameters.algorithm.split('/')
  // A page without https has no `crypto.subtle`.
  if (globalThis.crypto?.subtle === undefined)
    throw failed('The check needs a page that was loaded by https.')
  if (name !== 'PBKDF2') throw failed('The check is of an unknown kind.')
  const nonce = fromHex(parameters.nonce)
  const salt = fromHex(parameters.salt)
  const { cost: iterations, keyLength, keyPrefix } = parameters

  async function derive(counter: number): Promise<string> {
    const password = new Uint8Array(nonce.length + 4)
    password.set(nonce)
    new DataView(password.buffer).setUint32(nonce.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    return toHex(
      new Uint8Array(await crypto.subtle.deriveBits({ name, hash, salt, iterations }, key, keyLength * 8)),
    )
  }

  for (let counter = 0; counter < MOST_ATTEMPTS; counter += LANES) {
    const keys = await Promise.all(Array.from({ length: LANES }, (_, lane) => derive(counter + lane)))
    const found = keys.findIndex((key) => key.startsWith(keyPrefix.toLowerCase()))
    const derivedKey = keys[found]
    if (derivedKey !== undefined)
      return btoa(JSON.stringify({ challenge, solution: { counter: counter + found, derivedKey } }))
  }
  throw failed('The check found no solution.')
}

/**
 * Fetches and solves challenges of the service: no third party, and nothing to click.
 *
 * @example
 * const captcha = createAltcha({ endpoint, clientKey })
 * const client = createClient({ endpoint, knowledgeBaseId, clientKey, captcha })
 */
export function createAltcha(options: AltchaOptions): Altcha {
  const http = createHttp(options, { 'x-client-key': options.clientKey })
  const prepared = new Map<CaptchaAction, Promise<Made>>()

  async function solve(action: CaptchaAction): Promise<Made> {
    const challenge = (await http.json({
      method: 'GET',
      path: `/api/v1/public/captcha-challenge?action=${action}`,
    })) as Challenge
    return { token: await solveAltcha(challenge), expiresAt: challenge.parameters.expiresAt * 1_000 }
  }

  function keep(action: CaptchaAction, making: Promise<Made>): void {
    if (prepared.has(action)) return
    prepared.set(action, making)
    // Tried again when the token is needed.
    making.catch(() => prepared.get(action) === making && prepared.delete(action))
  }

  /** The token that is made already, or a new one. */
  function take(action: CaptchaAction): Promise<Made> {
    const early = prepared.get(action)
    // A token is valid once.
    prepared.delete(action)
    const again = () => solve(action)
    return early?.then((made) => (made.expiresAt - MARGIN_MS > Date.now() ? made : again()), again) ?? again()
  }

  async function token(action: CaptchaAction, signal?: AbortSignal): Promise<string> {
    const making = take(action)
    // The work for a search that is given up at the next key is not lost: it is for the next one.
    const leave = () => keep(action, making)
    signal?.addEventListener('abort', leave)
    try {
      return (await unlessAborted(making, signal)).token
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  return Object.assign(token, {
    prepare: (action: CaptchaAction) => {
      if (!prepared.has(action)) keep(action, solve(action))
    },
  })
}

import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'
import type { RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.ts'

export interface TurnTimes {
  /** Interval between two waiting attempts on one account. */
  accountSeconds: number
  /** Interval between two waiting attempts from one address, on any account. */
  addressSeconds: number
  /** Longest wait for a turn. */
  patienceMs: number
}

/** At most 17,280 guesses per account and day, and 4,320 per address, however many are made in parallel. */
const TURN_TIMES: TurnTimes = { accountSeconds: 5, addressSeconds: 20, patienceMs: 25_000 }

/** How many attempts may wait: for one account, from one network, and in total. Each holds a connection, and nothing else. */
const MAX_WAITING = { ofAccount: 50, ofNetwork: 4, ofAll: 200 }

export interface Turn {
  /** Key of the account. */
  account: string
  /** Client address; empty if it is unknown. */
  from: string
  isAccountSlow: boolean
  isAddressSlow: boolean
  signal: AbortSignal | undefined
}

/** The network of an address: one machine often has all of its addresses. */
const networkOf = (from: string) =>
  from.includes(':') ? from.split(':').slice(0, 3).join(':') : from.split('.').slice(0, 3).join('.')

/**
 * After too many failures, attempts are let through one at a time: a flood of wrong ones slows down the browsers that are not known,
 * and locks no one out. The next attempt is chosen at random, so that no one can hold the place.
 */
export function createSignInTurns(rateLimits: RateLimits, times: TurnTimes = TURN_TIMES) {
  const waiting = new Map<string, number>()
  let all = 0
  const ofAccount: RateLimit = { name: 'sign-in-turn', most: 1, windowSeconds: times.accountSeconds }
  const fromAddress: RateLimit = { name: 'sign-in-turn-from', most: 1, windowSeconds: times.addressSeconds }

  const tooMany = () =>
    new Refusal('RATE_LIMITED', {
      because:
        'Too many attempts have failed, so only one is tried every few seconds. Try again now, or sign in with a browser that you have used here before.',
      retryAfterSeconds: times.accountSeconds,
    })

  const count = (key: string, by: 1 | -1) => {
    const next = (waiting.get(key) ?? 0) + by
    if (next === 0) waiting.delete(key)
    else waiting.set(key, next)
  }

  /**
   * Waits for a turn.
   *
   * @throws Refusal RATE_LIMITED if too many attempts wait, or the wait takes too long
   */
  async function wait({ account, from, isAccountSlow, isAddressSlow, signal }: Turn): Promise<void> {
    const network = networkOf(from)
    const places = [`account ${account}`, ...(from === '' ? [] : [`network ${network}`])]
    const isFull = (place: string) =>
      (waiting.get(place) ?? 0) >=
      (place.startsWith('account') ? MAX_WAITING.ofAccount : MAX_WAITING.ofNetwork)
    if (all >= MAX_WAITING.ofAll || places.some(isFull)) throw tooMany()
    all += 1
    for (const place of places) count(place, 1)
    try {
      const end = performance.now() + times.patienceMs
      if (isAddressSlow && from !== '') await turnOf(fromAddress, from, end, signal)
      if (isAccountSlow) await turnOf(ofAccount, account, end, signal)
    } finally {
      all -= 1
      for (const place of places) count(place, -1)
    }
  }

  async function turnOf(
    limit: RateLimit,
    key: string,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (;;) {
      const [state] = await rateLimits.take([{ limit, key }])
      if (state === undefined || state.isAllowed) return
      // A random moment of the next turn (jitter): otherwise all would ask at its start, and the client with the lowest latency would
      // always win.
      const pause = (state.resetSeconds - Math.random()) * 1_000
      if (performance.now() + pause > end) throw tooMany()
      await delay(pause, undefined, signal === undefined ? {} : { signal })
    }
  }

  return { wait }
}

import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'
import type { RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.ts'

export interface TurnTimes {
  /** An account gets one attempt of those that wait so often. */
  accountSeconds: number
  /** And an address, whichever account it tries. */
  addressSeconds: number
  /** Nobody waits longer for an answer. */
  patienceMs: number
}

/** 17,280 guesses of an account a day at most, and 4,320 from an address, however many ask at once. */
const TURN_TIMES: TurnTimes = { accountSeconds: 5, addressSeconds: 20, patienceMs: 25_000 }

/** How many may wait: for one account, from one network, and in all. They hold a connection each, and nothing else. */
const MAY_WAIT = { ofAccount: 50, ofNetwork: 4, ofAll: 200 }

export interface Turn {
  /** What stands for the account. */
  account: string
  /** Where it comes from; empty where nobody can be told apart. */
  from: string
  isAccountSlow: boolean
  isAddressSlow: boolean
  signal: AbortSignal | undefined
}

/** The network that an address is in: one machine often has all of its addresses. */
const networkOf = (from: string) =>
  from.includes(':') ? from.split(':').slice(0, 3).join(':') : from.split('.').slice(0, 3).join('.')

/**
 * Where too many attempts have failed, one after another is let through, whoever asks: a flood of wrong ones slows down those who
 * are not known here, and locks nobody out. Who comes next is left to chance, so that nobody can hold the place.
 */
export function createSignInTurns(rateLimits: RateLimits, times: TurnTimes = TURN_TIMES) {
  const waiting = new Map<string, number>()
  let all = 0
  const ofAccount: RateLimit = { name: 'sign-in-turn', most: 1, windowSeconds: times.accountSeconds }
  const fromAddress: RateLimit = { name: 'sign-in-turn-from', most: 1, windowSeconds: times.addressSeconds }

  const tooMany = () =>
    new Refusal('RATE_LIMITED', {
      because:
        'Too many attempts did not work, so that only one is tried every few seconds. Try again now, or sign in with a browser that you have used here before.',
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
   * @throws Refusal RATE_LIMITED where too many wait, or it took too long
   */
  async function wait({ account, from, isAccountSlow, isAddressSlow, signal }: Turn): Promise<void> {
    const network = networkOf(from)
    const places = [`account ${account}`, ...(from === '' ? [] : [`network ${network}`])]
    const isFull = (place: string) =>
      (waiting.get(place) ?? 0) >= (place.startsWith('account') ? MAY_WAIT.ofAccount : MAY_WAIT.ofNetwork)
    if (all >= MAY_WAIT.ofAll || places.some(isFull)) throw tooMany()
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
      // Somewhere in the next turn: those who wait would otherwise all ask at its first moment, and the nearest always win.
      const pause = (state.resetSeconds - Math.random()) * 1_000
      if (performance.now() + pause > end) throw tooMany()
      await delay(pause, undefined, signal === undefined ? {} : { signal })
    }
  }

  return { wait }
}

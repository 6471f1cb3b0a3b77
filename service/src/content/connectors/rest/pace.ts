import { hash } from 'node:crypto'
import { SourcePaused, type SourceCredentials } from '../connector.ts'
import { readRateHeaders } from './read-rate-headers.ts'

/** The turns of one account at one API: shared by all syncs and previews that use it. */
export interface Pace {
  /**
   * Waits for the next turn, between its requests as long as the API asks for.
   * @throws SourcePaused if that is longer than a sync waits; the reason of the signal
   */
  turn(signal: AbortSignal): Promise<void>
  /** Reads from a response when the next request may come. Whether the request itself was refused as one too many. */
  heed(status: number, headers: Headers): boolean
}

export interface PaceDeps {
  now: () => number
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** 0 to 1, for jitter: accounts that were refused together must not come back together. */
  random: () => number
}

/** A longer wait ends the sync: its slot is of use to others, and the next sync goes on. */
export const MAX_WAIT_MS = 15 * 60_000

/**
 * A longer wait is not believed: the pace outlives its sync, and a wrong header must not close an account for years. The longest real one is
 * a day.
 */
const MAX_TOLD_MS = 24 * 60 * 60_000

/** After a refusal without a time; doubled with each further one in a row. */
const DEFAULT_WAIT_MS = 1_000
const MAX_DEFAULT_WAIT_MS = 60_000

/** Requests of one account that may wait at the same time. */
const MAX_WAITING = 50

/** Beyond this many accounts, those that were used longest ago are forgotten. */
const MAX_ACCOUNTS = 2_000

/** The same, or the reason of the signal at once: whoever waits before it may wait for minutes. */
async function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([turn, aborted])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** @param minIntervalMs between two requests, for an API that names a rate and sends no headers */
export function createPace(deps: PaceDeps, minIntervalMs = 0): Pace {
  let notBefore = 0
  let refusalsInARow = 0
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  const jittered = (milliseconds: number) => Math.min(milliseconds, MAX_TOLD_MS) * (1 + deps.random() * 0.1)

  async function waitForTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const rest = notBefore - deps.now()
    if (rest > MAX_WAIT_MS)
      throw new SourcePaused(
        `The server asks to wait ${Math.ceil(rest / 60_000)} minutes before the next request. What was read so far is kept; the next sync goes on from there.`,
      )
    if (rest > 0) await deps.wait(rest, signal)
    notBefore = Math.max(notBefore, deps.now() + minIntervalMs)
  }

  return {
    turn: async (signal) => {
      signal.throwIfAborted()
      if (waiting >= MAX_WAITING) throw new SourcePaused('Too many requests of this account are waiting.')
      waiting += 1
      const mine = last.then(() => waitForTurn(signal))
      last = mine.catch(() => {})
      try {
        await unlessAborted(mine, signal)
      } finally {
        waiting -= 1
      }
    },
    heed: (status, headers) => {
      const { waitMs, remaining } = readRateHeaders(headers, deps.now())
      // GitHub and others refuse with 403 what others refuse with 429.
      const isRefused =
        status === 429 ||
        (status === 403 && (remaining === 0 || headers.has('retry-after'))) ||
        (status === 503 && headers.has('retry-after'))
      if (isRefused) {
        const usual = Math.min(MAX_DEFAULT_WAIT_MS, DEFAULT_WAIT_MS * 2 ** refusalsInARow)
        refusalsInARow += 1
        notBefore = Math.max(notBefore, deps.now() + jittered(Math.max(waitMs ?? usual, 50)))
      } else {
        refusalsInARow = 0
        if (remaining === 0 && waitMs !== undefined)
          notBefore = Math.max(notBefore, deps.now() + jittered(waitMs))
      }
      return isRefused
    },
  }
}

/** The same pace, without further turns from a time on: a server that has always more to send would hold a sync for ever. */
export function endAt(pace: Pace, { deadline, now }: { deadline: number; now: () => number }): Pace {
  return {
    turn: async (signal) => {
      if (now() >= deadline)
        throw new SourcePaused(
          'The reading reached its time limit. What was read so far is kept; the next sync goes on from there.',
        )
      await pace.turn(signal)
    },
    heed: (status, headers) => pace.heed(status, headers),
  }
}

/** One pace for each account of an API, whatever source uses it. */
export function createPaces(deps: PaceDeps) {
  const paces = new Map<string, Pace>()
  return {
    /** @param minIntervalMs see `createPace` */
    of: (api: string, credentials: SourceCredentials | undefined, minIntervalMs = 0): Pace => {
      const { access_token: _renewed, access_token_expires_at: _until, ...account } = credentials ?? {}
      const key = hash(
        'sha256',
        JSON.stringify([api, Object.entries(account).toSorted(([one], [other]) => (one < other ? -1 : 1))]),
      )
      const pace = paces.get(key) ?? createPace(deps, minIntervalMs)
      paces.delete(key)
      paces.set(key, pace)
      const [oldest] = paces.keys()
      if (paces.size > MAX_ACCOUNTS && oldest !== undefined) paces.delete(oldest)
      return pace
    },
  }
}

export type Paces = ReturnType<typeof createPaces>

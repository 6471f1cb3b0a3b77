import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

/** A limit of `most` requests per window; a window begins with its first request. */
export interface RateLimit {
  /** The name in the headers, e.g. `chat-key`; also separates the counters of two limits. */
  name: string
  /** 0 for no limit. */
  most: number
  windowSeconds: number
}

/** One count under a limit: `key` identifies the counted party (a client key's id, an address). */
export interface RateLimitCost {
  limit: RateLimit
  key: string
}

export interface RateLimitState {
  limit: RateLimit
  isAllowed: boolean
  remaining: number
  /** Until the window ends, rounded up. */
  resetSeconds: number
}

export interface RateLimits {
  /**
   * Counts one request under each limit, in the order given, and stops at the first that refuses: put the narrowest first, so that one
   * flooding reader does not use up a limit that all readers share. Empty without limits.
   */
  take(takes: readonly RateLimitCost[]): Promise<RateLimitState[]>
  /** The state of each limit, without counting. */
  peek(takes: readonly RateLimitCost[]): Promise<RateLimitState[]>
  /** Reverts a count, for limits on failures only, after a success. */
  refund(takes: readonly RateLimitCost[]): Promise<void>
}

/** Runs one statement on the database that all processes share. */
type ExecuteShared = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/** Counters of requests only: losing them in a crash of the server is harmless, so the table is unlogged. */
const CREATE_COUNTERS = `create unlogged table if not exists rate_limit_counters (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
)`

type Limiter = RateLimiterMemory | RateLimiterPostgres

/**
 * @param deps.isOn `false` counts and refuses nothing.
 * @param deps.executeShared set if several processes serve, so that they share counters. While the database fails, counters in this
 * process replace it: a broken limit is no reason to refuse an answer.
 */
export async function createRateLimits(deps: {
  isOn: boolean
  executeShared: ExecuteShared | undefined
}): Promise<RateLimits> {
  const { isOn, executeShared } = deps
  if (isOn && executeShared !== undefined) await createCounters(executeShared)
  const limiters = new Map<string, Limiter>()

  function limiterOf(limit: RateLimit): Limiter {
    const known = limiters.get(limit.name)
    if (known !== undefined && known.points === limit.most && known.duration === limit.windowSeconds)
      return known
    const limiter = createLimiter(limit, executeShared)
    limiters.set(limit.name, limiter)
    return limiter
  }

  return {
    take: async (takes) => {
      const states: RateLimitState[] = []
      for (const { limit, key } of takes) {
        if (!isOn || limit.most === 0) continue
        const state = await takeOne(limiterOf(limit), limit, key)
        states.push(state)
        if (!state.isAllowed) break
      }
      return states
    },
    peek: async (takes) =>
      await Promise.all(
        takes
          .filter(({ limit }) => isOn && limit.most > 0)
          .map(async ({ limit, key }) => stateNow(limit, await limiterOf(limit).get(key))),
      ),
    refund: async (takes) => {
      for (const { limit, key } of takes) if (isOn && limit.most > 0) await limiterOf(limit).reward(key)
    },
  }
}

async function createCounters(executeShared: ExecuteShared): Promise<void> {
  try {
    await executeShared(CREATE_COUNTERS)
  } catch {
    // Two processes may create it at the same moment: the loser's error means that the table now exists.
    await executeShared(CREATE_COUNTERS)
  }
}

function createLimiter(limit: RateLimit, executeShared: ExecuteShared | undefined): Limiter {
  const settings = { keyPrefix: limit.name, points: limit.most, duration: limit.windowSeconds }
  const inMemory = new RateLimiterMemory(settings)
  if (executeShared === undefined) return inMemory
  return new RateLimiterPostgres({
    ...settings,
    storeClient: {
      query: (query: { text: string; values?: unknown[] }) => executeShared(query.text, query.values),
    },
    storeType: 'client',
    tableName: 'rate_limit_counters',
    tableCreated: true,
    insuranceLimiter: inMemory,
  })
}

/** How far a clock may be off before its counts are dropped: clocks of several machines differ a little. */
const CLOCK_SLACK_MS = 5_000

async function takeOne(limiter: Limiter, limit: RateLimit, key: string): Promise<RateLimitState> {
  try {
    return stateOf(limit, true, await limiter.consume(key))
  } catch (refused) {
    // The library rejects with the counters if the limit is reached, and with an error if it could not count.
    if (!(refused instanceof RateLimiterRes)) throw refused
    if (refused.msBeforeNext <= limit.windowSeconds * 1_000 + CLOCK_SLACK_MS)
      return stateOf(limit, false, refused)
    // No window is that long: the clock was set back since it began, and would block its readers for hours.
    await limiter.delete(key)
    return stateOf(limit, true, await limiter.consume(key))
  }
}

function stateOf(limit: RateLimit, isAllowed: boolean, counted: RateLimiterRes): RateLimitState {
  return {
    limit,
    isAllowed,
    remaining: counted.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
  }
}

/** A limit without any count yet is fully available. */
function stateNow(limit: RateLimit, counted: RateLimiterRes | null): RateLimitState {
  if (counted === null)
    return { limit, isAllowed: true, remaining: limit.most, resetSeconds: limit.windowSeconds }
  return stateOf(limit, counted.consumedPoints < limit.most, counted)
}

/** The outcome of a request, which adjusts the pace of the next ones. */
interface AnswerPace {
  milliseconds: number
  /** The host asked for fewer requests (429, 503), possibly with a Retry-After. */
  isOverloaded: boolean
  retryAfterMs: number | undefined
}

/** A reader of hosts: one sync. */
export interface PaceReader {
  /** The crawl delay in the robots.txt that this reader found; its requests then run one at a time. */
  delayMs(host: string): number
  signal: AbortSignal
}

/** Limits requests per host: few concurrently, fewer to a slow host, none during its Retry-After. */
export interface HostPace {
  /** Waits for a turn on the host and runs the work in it. */
  run<Result>(host: string, reader: PaceReader, work: () => Promise<Result>): Promise<Result>
  note(host: string, answer: AnswerPace): void
}

interface HostState {
  /** Readers with a request in flight. */
  open: PaceReader[]
  /** Maximum concurrent requests; decreases when the host is overloaded and slowly increases again. */
  limit: number
  consecutiveSuccesses: number
  averageMs: number
  lastStart: number
  notBefore: number
  waiting: Set<() => void>
}

/** A host with a higher average answer time gets at most two, or at most one, concurrent requests. */
const SLOW_MS = 2_000
const VERY_SLOW_MS = 5_000

/** Backoff for an overloaded host that sends no Retry-After, and the longest one that is obeyed. */
const DEFAULT_REST_MS = 1_000
const MAX_REST_MS = 60_000

const SUCCESSES_TO_SPEED_UP = 20

/** Beyond this many hosts, idle ones are forgotten, oldest first. */
const MAX_HOSTS = 2_000

export function createHostPace(deps: {
  maxConcurrent: number
  now: () => number
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}): HostPace {
  const hosts = new Map<string, HostState>()

  function forgetIdle(): void {
    if (hosts.size <= MAX_HOSTS) return
    for (const [host, { open, waiting, notBefore }] of hosts) {
      if (open.length === 0 && waiting.size === 0 && notBefore <= deps.now()) hosts.delete(host)
      if (hosts.size <= MAX_HOSTS) return
    }
  }

  function stateOf(host: string): HostState {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const state: HostState = {
      open: [],
      limit: deps.maxConcurrent,
      consecutiveSuccesses: 0,
      averageMs: 0,
      lastStart: Number.NEGATIVE_INFINITY,
      notBefore: 0,
      waiting: new Set(),
    }
    hosts.set(host, state)
    forgetIdle()
    return state
  }

  function concurrencyLimit(state: HostState): number {
    if (state.averageMs > VERY_SLOW_MS) return 1
    return state.averageMs > SLOW_MS ? Math.min(2, state.limit) : state.limit
  }

  /** Waits until a request to the host has ended, or the reader is cancelled. */
  async function nextChange(state: HostState, { signal }: PaceReader): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    state.waiting.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    await promise
    state.waiting.delete(wake)
    signal.removeEventListener('abort', wake)
  }

  async function enter(state: HostState, host: string, reader: PaceReader): Promise<void> {
    for (;;) {
      reader.signal.throwIfAborted()
      const delayMs = reader.delayMs(host)
      const rest = Math.max(state.notBefore, state.lastStart + delayMs) - deps.now()
      const isBusy =
        state.open.length >= concurrencyLimit(state) || (delayMs > 0 && state.open.includes(reader))
      if (isBusy) await nextChange(state, reader)
      else if (rest > 0) await deps.wait(rest, reader.signal)
      else break
    }
    state.open.push(reader)
    state.lastStart = deps.now()
  }

  return {
    run: async (host, reader, work) => {
      const state = stateOf(host)
      await enter(state, host, reader)
      try {
        return await work()
      } finally {
        state.open.splice(state.open.indexOf(reader), 1)
        // Each waiter checks again whether it is its turn: the limit may have changed.
        for (const wake of state.waiting) wake()
      }
    },
    note: (host, answer) => {
      const state = stateOf(host)
      if (answer.isOverloaded) {
        state.limit = Math.max(1, Math.floor(state.limit / 2))
        state.consecutiveSuccesses = 0
        state.notBefore = Math.max(
          state.notBefore,
          deps.now() + Math.min(answer.retryAfterMs ?? DEFAULT_REST_MS, MAX_REST_MS),
        )
        return
      }
      state.averageMs =
        state.averageMs === 0 ? answer.milliseconds : state.averageMs * 0.8 + answer.milliseconds * 0.2
      state.consecutiveSuccesses += 1
      if (state.consecutiveSuccesses % SUCCESSES_TO_SPEED_UP === 0)
        state.limit = Math.min(deps.maxConcurrent, state.limit + 1)
    },
  }
}

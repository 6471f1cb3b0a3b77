/** How an answer came, for the pace of the next ones. */
interface AnswerPace {
  milliseconds: number
  /** The host asked for less (429, 503), and perhaps for how long. */
  isOverloaded: boolean
  retryAfterMs: number | undefined
}

/** One reader of hosts: a sync. */
export interface PaceReader {
  /** What the robots.txt that this reader found asks for between two of its requests, which then come one at a time. */
  delayMs(host: string): number
  signal: AbortSignal
}

/** Keeps requests polite: few at once on one host, fewer on a slow one, none while it asks for a rest. */
export interface HostPace {
  /** Waits for a turn on the host and runs the work in it. */
  run<Result>(host: string, reader: PaceReader, work: () => Promise<Result>): Promise<Result>
  note(host: string, answer: AnswerPace): void
}

interface HostState {
  /** Who has a request under way. */
  open: PaceReader[]
  /** How many may be open at once; goes down when the host is overloaded and slowly up again. */
  limit: number
  goodInARow: number
  averageMs: number
  lastBegin: number
  notBefore: number
  waiting: Set<() => void>
}

/** Above these averages a host is left alone but for two, and but for one, requests at once. */
const SLOW_MS = 2_000
const VERY_SLOW_MS = 5_000

/** An overloaded host that does not say how long gets this; one that says very long is asked again after the longest. */
const REST_MS = 1_000
const LONGEST_REST_MS = 60_000

const GOOD_ANSWERS_TO_SPEED_UP = 20

/** Beyond so many hosts those that nobody asks are forgotten, the ones that came first before the others. */
const MOST_HOSTS = 2_000

export function createHostPace(deps: {
  atOnce: number
  now: () => number
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}): HostPace {
  const hosts = new Map<string, HostState>()

  function forgetIdle(): void {
    if (hosts.size <= MOST_HOSTS) return
    for (const [host, { open, waiting, notBefore }] of hosts) {
      if (open.length === 0 && waiting.size === 0 && notBefore <= deps.now()) hosts.delete(host)
      if (hosts.size <= MOST_HOSTS) return
    }
  }

  function stateOf(host: string): HostState {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const state: HostState = {
      open: [],
      limit: deps.atOnce,
      goodInARow: 0,
      averageMs: 0,
      lastBegin: Number.NEGATIVE_INFINITY,
      notBefore: 0,
      waiting: new Set(),
    }
    hosts.set(host, state)
    forgetIdle()
    return state
  }

  function mostAtOnce(state: HostState): number {
    if (state.averageMs > VERY_SLOW_MS) return 1
    return state.averageMs > SLOW_MS ? Math.min(2, state.limit) : state.limit
  }

  /** Until a request on the host has ended, or the reader has. */
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
      const rest = Math.max(state.notBefore, state.lastBegin + delayMs) - deps.now()
      const isBusy = state.open.length >= mostAtOnce(state) || (delayMs > 0 && state.open.includes(reader))
      if (isBusy) await nextChange(state, reader)
      else if (rest > 0) await deps.wait(rest, reader.signal)
      else break
    }
    state.open.push(reader)
    state.lastBegin = deps.now()
  }

  return {
    run: async (host, reader, work) => {
      const state = stateOf(host)
      await enter(state, host, reader)
      try {
        return await work()
      } finally {
        state.open.splice(state.open.indexOf(reader), 1)
        // Each looks again whether it is its turn: the limit may have changed meanwhile.
        for (const wake of state.waiting) wake()
      }
    },
    note: (host, answer) => {
      const state = stateOf(host)
      if (answer.isOverloaded) {
        state.limit = Math.max(1, Math.floor(state.limit / 2))
        state.goodInARow = 0
        state.notBefore = Math.max(
          state.notBefore,
          deps.now() + Math.min(answer.retryAfterMs ?? REST_MS, LONGEST_REST_MS),
        )
        return
      }
      state.averageMs =
        state.averageMs === 0 ? answer.milliseconds : state.averageMs * 0.8 + answer.milliseconds * 0.2
      state.goodInARow += 1
      if (state.goodInARow % GOOD_ANSWERS_TO_SPEED_UP === 0)
        state.limit = Math.min(deps.atOnce, state.limit + 1)
    },
  }
}

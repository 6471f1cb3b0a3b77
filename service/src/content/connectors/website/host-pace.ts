/** How an answer came, for the pace of the next ones. */
interface AnswerPace {
  milliseconds: number
  /** The host asked for less (429, 503), and perhaps for how long. */
  isOverloaded: boolean
  retryAfterMs: number | undefined
}

/** Keeps requests polite: few at once on one host, fewer on a slow one, none while it asks for a rest. */
export interface HostPace {
  /** Waits for a turn on the host and runs the work in it. */
  run<Result>(host: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  note(host: string, answer: AnswerPace): void
  /** The host wants this much time between two requests, one at a time. */
  setDelay(host: string, milliseconds: number): void
}

interface HostState {
  open: number
  /** How many may be open at once; goes down when the host is overloaded and slowly up again. */
  limit: number
  goodInARow: number
  averageMs: number
  delayMs: number
  notBefore: number
  waiting: (() => void)[]
}

/** Above these averages a host is left alone but for two, and but for one, requests at once. */
const SLOW_MS = 2_000
const VERY_SLOW_MS = 5_000

/** An overloaded host that does not say how long gets this; one that says very long is asked again after the longest. */
const REST_MS = 1_000
const LONGEST_REST_MS = 60_000

const GOOD_ANSWERS_TO_SPEED_UP = 20

export function createHostPace(deps: {
  atOnce: number
  now: () => number
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}): HostPace {
  const hosts = new Map<string, HostState>()

  function stateOf(host: string): HostState {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const state: HostState = {
      open: 0,
      limit: deps.atOnce,
      goodInARow: 0,
      averageMs: 0,
      delayMs: 0,
      notBefore: 0,
      waiting: [],
    }
    hosts.set(host, state)
    return state
  }

  function mostAtOnce(state: HostState): number {
    if (state.delayMs > 0 || state.averageMs > VERY_SLOW_MS) return 1
    return state.averageMs > SLOW_MS ? Math.min(2, state.limit) : state.limit
  }

  async function enter(state: HostState, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const rest = state.notBefore - deps.now()
      if (state.open >= mostAtOnce(state)) await new Promise<void>((resolve) => state.waiting.push(resolve))
      else if (rest > 0) await deps.wait(rest, signal)
      else break
    }
    state.open += 1
    state.notBefore = Math.max(state.notBefore, deps.now() + state.delayMs)
  }

  return {
    run: async (host, signal, work) => {
      const state = stateOf(host)
      await enter(state, signal)
      try {
        return await work()
      } finally {
        state.open -= 1
        // Each looks again whether it is its turn: the limit may have changed meanwhile.
        for (const wake of state.waiting.splice(0)) wake()
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
    setDelay: (host, milliseconds) => {
      stateOf(host).delayMs = milliseconds
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { elapsedMs } from '../../../kernel/duration.ts'
import { StorageUnavailable } from '../storage-unavailable.ts'
import type { EngineThread } from './engine-thread.ts'

/** The state of the embedded engine; `since` is when it was last open. */
export type EngineState = { is: 'open' } | { is: 'opening' | 'down'; since: Date; because: string }

export interface KeptEngine {
  /** The engine, as soon as it is open. Rejects immediately if it is down, and after a while if its opening takes long. */
  current(): Promise<EngineThread>
  state(): EngineState
  close(end: (engine: EngineThread) => Promise<void>): Promise<void>
}

export interface KeepDeps {
  start: () => EngineThread
  beforeOpening: () => Promise<void>
  /** Frees as much disk space as possible before an engine is opened. */
  makeRoom: () => Promise<void>
  /** Runs on an engine that was just opened, before anyone else can use it. */
  onOpened: (engine: EngineThread) => Promise<void>
  report: (fault: unknown, what: string) => void
  now: () => Date
}

/** How long callers wait after its end for the engine to open again, which takes 1 to 3 s; then they are refused. */
const REOPEN_WAIT_MS = 5_000

/** An opening that takes longer has hung; replaying a log of 128 MB takes some seconds. */
const MAX_OPENING_MS = 300_000

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000

/** Opens the engine, and reopens it whenever it ends. */
export function keepEngineOpen({
  start,
  beforeOpening,
  makeRoom,
  onOpened,
  report,
  now,
}: KeepDeps): KeptEngine {
  const closing = new AbortController()
  let state: EngineState = { is: 'opening', since: now(), because: 'It is being opened.' }
  let open: EngineThread | undefined
  let hasBeenOpen = false
  let opening: Promise<EngineThread>

  async function openOnce(): Promise<EngineThread> {
    await beforeOpening()
    closing.signal.throwIfAborted()
    const engine = start()
    open = engine
    const late = setTimeout(() => void engine.terminate(), MAX_OPENING_MS)
    try {
      await engine.opened
      await onOpened(engine)
    } catch (error) {
      await engine.terminate()
      throw error
    } finally {
      clearTimeout(late)
    }
    state = { is: 'open' }
    hasBeenOpen = true
    void engine.ended.then((why) => onEnded(why))
    return engine
  }

  function onEnded(why: Error): void {
    if (closing.signal.aborted) return
    report(why, 'the embedded storage ended and is being reopened')
    state = { is: 'opening', since: now(), because: why.message }
    opening = openAgain(now())
    opening.catch(() => undefined)
  }

  async function openAgain(since: Date): Promise<EngineThread> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: closing.signal, ref: false })
      try {
        await makeRoom()
        state = { is: 'opening', since, because: 'It is being reopened.' }
        return await openOnce()
      } catch (error) {
        if (closing.signal.aborted) throw error
        report(error, 'the embedded storage could not be reopened')
        state = { is: 'down', since, because: error instanceof Error ? error.message : String(error) }
      }
    }
  }

  async function openFirst(): Promise<EngineThread> {
    try {
      return await openOnce()
    } catch (error) {
      if (closing.signal.aborted) throw error
      // Once more, with the reserved disk space.
      await makeRoom()
      return await openOnce()
    }
  }

  opening = openFirst()
  opening.catch(() => undefined)

  return {
    current: async () => {
      if (closing.signal.aborted) throw new StorageUnavailable('closed')
      if (state.is === 'down') throw new StorageUnavailable('opening', new Error(state.because))
      // During start-up callers have nothing else to do than wait.
      if (!hasBeenOpen) return await opening
      if (state.is === 'open') return await opening
      const late = Promise.withResolvers<never>()
      const waited = elapsedMs(state.since, now())
      const timer = setTimeout(
        () => late.reject(new StorageUnavailable('opening')),
        Math.max(0, REOPEN_WAIT_MS - waited),
      )
      try {
        return await Promise.race([opening, late.promise])
      } finally {
        clearTimeout(timer)
      }
    },
    state: () => state,
    close: async (end) => {
      closing.abort(new StorageUnavailable('closed'))
      if (open === undefined) return
      if (state.is === 'open') await end(open)
      await open.terminate()
    },
  }
}

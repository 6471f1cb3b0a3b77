/**
 * A process for Vitest that stays after a run, with the modules, the database and the threads that it has. Starting one and importing the
 * service take ten times as long as most test files.
 */
import { ForksPoolWorker, type PoolRunnerInitializer, type PoolWorker } from 'vitest/node'

/** Modules that were replaced are not always forgotten: what listens to a closed service keeps them. */
const MOST_BYTES = 1_500_000_000

type Options = Parameters<PoolRunnerInitializer['createPoolWorker']>[0]
interface Answer {
  readonly type?: string
  readonly usedMemory?: number
  readonly __vitest_worker_response__?: true
}

let kept: ForksPoolWorker | undefined
let isRunning = false

/** Ends the process, as when its threads have the code of a mutant: the next run starts another. */
export async function endWorker(): Promise<void> {
  const ended = kept
  kept = undefined
  await ended?.stop()
}

function createPoolWorker(options: Options): PoolWorker {
  const isNew = kept === undefined
  const worker = (kept ??= new ForksPoolWorker(options))
  const listeners: [string, (...given: unknown[]) => void][] = []
  const answer = (type: string): void => {
    for (const [event, listener] of listeners.slice())
      if (event === 'message') listener({ type, __vitest_worker_response__: true })
  }
  let isLarge = false
  const watch = ({ type, usedMemory = 0 }: Answer): void => {
    if (type !== 'testfileFinished') return
    isRunning = false
    isLarge = usedMemory > MOST_BYTES
  }
  return {
    name: 'kept',
    reportMemory: true,
    cacheFs: true,
    on: (event, listener) => {
      listeners.push([event, listener])
      worker.on(event, listener)
    },
    off: (event, listener) => worker.off(event, listener),
    deserialize: (data) => worker.deserialize(data),
    send: (message) => {
      if (message.type === 'run') isRunning = true
      // It is started once, and not told of the ends of runs.
      if (message.type === 'stop') queueMicrotask(() => answer('stopped'))
      else if (message.type === 'start' && !isNew) queueMicrotask(() => answer('started'))
      else worker.send(message)
    },
    start: async () => {
      if (isNew) await worker.start()
      worker.on('message', watch)
    },
    stop: async () => {
      for (const [event, listener] of listeners) worker.off(event, listener)
      worker.off('message', watch)
      if (isRunning || isLarge) await endWorker()
      isRunning = false
    },
  }
}

export const keptWorkers: PoolRunnerInitializer = { name: 'kept', createPoolWorker }

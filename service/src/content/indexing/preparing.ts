import { Worker } from 'node:worker_threads'
import { IndexFailure } from './index-failure.ts'
import type { PreparedDocument, PreparedPassage } from './prepare-passages.ts'
import type { PreparingAnswer, PreparingTask } from './preparing-messages.ts'
import { createRoundRobin } from './round-robin.ts'

/** Maximum heap of the thread. A document of 20 million characters takes a third of it. */
const MEMORY_MB = 768
/** An idle thread ends after this, and frees 30 to 90 MB; a new one starts in 0.2 s. */
const IDLE_MS = 10_000
/** Maximum time for one document; the longest ones take a third of it on a slow machine. */
const TIME_LIMIT_MS = 180_000

// In a release the worker file is JavaScript.
const WORKER_FILE = new URL(`./preparing-worker${import.meta.url.slice(-3)}`, import.meta.url)

const CLOSED = 'The service is shutting down.'

/**
 * Divides documents into passages in a worker thread, one at a time, so that no document blocks the service. Bases take turns. A thread
 * that a document crashes, or blocks for too long, is replaced.
 */
export function createPreparing(timeLimitMs = TIME_LIMIT_MS, memoryMb = MEMORY_MB) {
  let worker: Worker | undefined
  let isClosed = false
  let idle: NodeJS.Timeout | undefined
  const turns = createRoundRobin()

  function start(): Worker {
    const started = new Worker(WORKER_FILE, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    // An idle thread must not keep the process alive.
    started.unref()
    worker = started
    return started
  }

  async function runNow(task: PreparingTask, signal: AbortSignal): Promise<PreparedDocument> {
    signal.throwIfAborted()
    if (isClosed) throw new Error(CLOSED)
    clearTimeout(idle)
    const thread = worker ?? start()
    const { promise, resolve, reject } = Promise.withResolvers<PreparedDocument>()
    const passages: PreparedPassage[] = []
    const end = (error: unknown) => {
      worker = undefined
      void thread.terminate()
      reject(error)
    }
    const discard = (reason: string, cause?: unknown) =>
      end(isClosed ? new Error(CLOSED, { cause }) : new IndexFailure(reason, { cause }))
    const onAbort = () => end(signal.reason)
    const onAnswer = (answer: PreparingAnswer) => {
      if (answer.kind === 'passages') passages.push(...answer.passages)
      else if (answer.kind === 'done') resolve({ passages, pageTerms: answer.pageTerms })
      else reject(new IndexFailure(answer.reason))
    }
    const onError = (error: NodeJS.ErrnoException) => {
      discard(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `Dividing it into passages took more than ${memoryMb} MB of memory.`
          : `It could not be divided into passages: ${String(error)}`,
        error,
      )
    }
    const onExit = () => discard('Dividing it into passages ended unexpectedly.')
    const timer = setTimeout(
      () => discard(`Dividing it into passages took longer than ${Math.round(timeLimitMs / 1_000)} s.`),
      timeLimitMs,
    )
    signal.addEventListener('abort', onAbort, { once: true })
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit)
    thread.ref()
    thread.postMessage(task)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit)
      thread.unref()
      idle = setTimeout(() => {
        worker = undefined
        void thread.terminate()
      }, IDLE_MS).unref()
    }
  }

  /**
   * @param share the base whose turn it takes
   * @throws IndexFailure for a document that cannot be divided; the signal's reason once it is aborted
   */
  const prepare = async (
    share: string,
    task: PreparingTask,
    signal: AbortSignal,
  ): Promise<PreparedDocument> => await turns.take(share, async () => await runNow(task, signal))

  async function close(): Promise<void> {
    isClosed = true
    clearTimeout(idle)
    await worker?.terminate()
  }

  return { prepare, close }
}

export type Preparing = ReturnType<typeof createPreparing>

import { Worker } from 'node:worker_threads'
import { ParseFailure } from './parse-failure.ts'
import type { ParseInput } from './parsing-blocks.ts'

export interface ParsingTask {
  kind: 'document' | 'operations'
  input: ParseInput
}

export type ParsingAnswer = { result: unknown } | { failure: string }

export interface PoolLimits {
  /** Threads that parse at the same time. Each takes some 100 MB. */
  workers: number
  /** A task that takes longer is given up, and its thread ended. */
  timeLimitMs: number
  /** A task whose thread needs more is given up. */
  memoryLimitMb: number
}

/** Of new objects, before they are looked through: left to itself a busy thread takes several times as much. */
const YOUNG_GENERATION_MB = 8

const CLOSED = 'The service is shutting down.'

interface Waiting {
  task: ParsingTask
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  isOver: () => boolean
}

// In a release the file next to this one is JavaScript.
const WORKER_FILE = new URL(`./parsing-worker${import.meta.url.slice(-3)}`, import.meta.url)

/**
 * Runs tasks in worker threads, each thread one at a time. A caller waits until its own task is done, so that as many
 * documents are in memory as there are callers. A thread that is slow, too large or broken is replaced by a fresh one.
 */
export function createParsingPool({ workers, timeLimitMs, memoryLimitMb }: PoolLimits) {
  const queue: Waiting[] = []
  const idle: Worker[] = []
  const all = new Set<Worker>()
  let isClosed = false

  function start(): Worker {
    const worker = new Worker(WORKER_FILE, {
      resourceLimits: {
        maxOldGenerationSizeMb: memoryLimitMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    })
    all.add(worker)
    // An idle thread that breaks is nobody's loss, but must not be given another task.
    worker.on('error', () => forget(worker))
    worker.on('exit', () => forget(worker))
    return worker
  }

  function forget(worker: Worker) {
    all.delete(worker)
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
  }

  function next() {
    while (queue.length > 0) {
      const worker = idle.pop() ?? (all.size < workers ? start() : undefined)
      if (worker === undefined) return
      const waiting = queue.shift()
      if (waiting === undefined || waiting.isOver()) idle.push(worker)
      else runOn(worker, waiting)
    }
  }

  function runOn(worker: Worker, { task, resolve, reject }: Waiting) {
    worker.ref()
    const settle = (end: () => void) => {
      clearTimeout(timer)
      worker.off('message', onAnswer).off('error', onError).off('exit', onExit)
      end()
      next()
    }
    const discard = (message: string, cause?: unknown) =>
      settle(() => {
        forget(worker)
        void worker.terminate()
        reject(new ParseFailure(isClosed ? CLOSED : message, { cause }))
      })
    const onAnswer = (answer: ParsingAnswer) =>
      settle(() => {
        // Nothing waits for an idle thread: the process may end.
        worker.unref()
        idle.push(worker)
        if ('failure' in answer) reject(new ParseFailure(answer.failure))
        else resolve(answer.result)
      })
    const onError = (error: unknown) => discard(crashMessage(error), error)
    const onExit = () => discard('Reading the document ended unexpectedly.')
    const seconds = Math.round(timeLimitMs / 100) / 10
    const timer = setTimeout(
      () => discard(`Reading the document took longer than ${seconds} s.`),
      timeLimitMs,
    )
    worker.on('message', onAnswer).on('error', onError).on('exit', onExit)
    // A copy of its own, handed over: the caller's bytes may be part of a larger buffer.
    const bytes = new Uint8Array(task.input.bytes)
    worker.postMessage({ ...task, input: { ...task.input, bytes } }, [bytes.buffer])
  }

  function crashMessage(error: unknown): string {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? `Reading the document took more than ${memoryLimitMb} MB of memory.`
      : `Reading the document failed: ${error instanceof Error ? error.message : String(error)}`
  }

  /** @throws ParseFailure, or the signal's reason once it is aborted (the thread then finishes on its own). */
  function run(task: ParsingTask, signal: AbortSignal | undefined): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (isClosed) reject(new ParseFailure(CLOSED))
    else if (signal?.aborted) reject(signal.reason)
    else {
      const giveUp = () => reject(signal?.reason)
      signal?.addEventListener('abort', giveUp, { once: true })
      const unhook = () => signal?.removeEventListener('abort', giveUp)
      promise.then(unhook, unhook)
      queue.push({ task, resolve, reject, isOver: () => signal?.aborted === true })
      next()
    }
    return promise
  }

  async function close() {
    isClosed = true
    for (const { reject } of queue.splice(0)) reject(new ParseFailure(CLOSED))
    await Promise.all([...all].map((worker) => worker.terminate()))
  }

  return { run, close }
}

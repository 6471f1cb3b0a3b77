import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type {
  EmbeddingPurpose,
  EmbeddingReply,
  EmbeddingRequest,
  EmbeddingText,
  EmbeddingWorkerData,
} from './embedding-messages.ts'

/** The embedding worker as its callers see it. */
export interface EmbeddingClient {
  /** Unit-length vectors of the texts, in order, each followed by those of its parts; throws the signal's reason when aborted. */
  embed(
    purpose: EmbeddingPurpose,
    texts: readonly EmbeddingText[],
    signal: AbortSignal | undefined,
    line?: string,
  ): Promise<Float32Array[]>
  close(): Promise<void>
}

/**
 * Milliseconds for the text that is being embedded. The runtime of the model ends the whole process (SIGABRT) if its thread is terminated
 * in the middle of one.
 */
const END_MS = 10_000

/** The model cannot be used on this machine. */
class EmbeddingUnusable extends Error {}

interface Call {
  request: EmbeddingRequest & { kind: 'embed' }
  resolve: (vectors: Float32Array[]) => void
  reject: (reason: unknown) => void
}

/**
 * Starts the worker and waits until its model is loaded. A worker that crashes is restarted with all its unanswered requests; if it
 * crashes twice without an answer in between, it is given up.
 *
 * @throws EmbeddingUnusable when the model cannot be loaded.
 */
export async function startEmbeddingWorker(script: URL, data: EmbeddingWorkerData): Promise<EmbeddingClient> {
  const calls = new Map<number, Call>()
  let lastId = 0
  let worker: Worker
  let hasAnswered = true
  let end: Error | undefined

  function stopWith(reason: Error): void {
    end ??= reason
    for (const call of calls.values()) call.reject(end)
    calls.clear()
  }

  function take(reply: EmbeddingReply & { id: number }): void {
    hasAnswered = true
    const call = calls.get(reply.id)
    calls.delete(reply.id)
    if (reply.kind === 'fault') call?.reject(new Error(`The text could not be embedded: ${reply.message}`))
    else if (reply.kind === 'embedded') call?.resolve(reply.vectors)
  }

  function restart(cause: unknown): void {
    if (end !== undefined) return
    if (!hasAnswered) {
      stopWith(new Error('The embedding worker stopped twice in a row.', { cause }))
      return
    }
    hasAnswered = false
    start().catch(stopWith)
    // They wait in the new worker's queue until its model is loaded.
    for (const { request } of calls.values()) worker.postMessage(request)
  }

  function start(): Promise<void> {
    const started = new Worker(script, { workerData: data, name: 'embedding' })
    worker = started
    const { promise: isReady, resolve, reject } = Promise.withResolvers<void>()
    let wasReady = false
    let cause: unknown
    started.on('message', (reply: EmbeddingReply) => {
      if (reply.kind === 'ready') {
        wasReady = true
        resolve()
      } else if (reply.kind === 'unusable') reject(new EmbeddingUnusable(reply.reason))
      else take(reply)
    })
    started.on('error', (error) => (cause = error))
    // Emitted after `error` too, once for each worker.
    started.on('exit', () => {
      if (wasReady) restart(cause)
      else reject(new EmbeddingUnusable('The embedding worker stopped while it started.', { cause }))
    })
    return isReady
  }

  await start()

  function embed(
    purpose: EmbeddingPurpose,
    texts: readonly EmbeddingText[],
    signal: AbortSignal | undefined,
    line = '',
  ) {
    return new Promise<Float32Array[]>((resolve, reject) => {
      signal?.throwIfAborted()
      if (end !== undefined) throw end
      lastId += 1
      const id = lastId
      const cancel = () => {
        calls.delete(id)
        worker.postMessage({ kind: 'cancel', id } satisfies EmbeddingRequest)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', cancel, { once: true })
      const settle = () => signal?.removeEventListener('abort', cancel)
      const request = { kind: 'embed', id, purpose, texts, line } as const
      calls.set(id, {
        request,
        resolve: (vectors) => (settle(), resolve(vectors)),
        reject: (reason) => (settle(), reject(reason)),
      })
      worker.postMessage(request)
    })
  }

  return {
    embed,
    close: async () => {
      const ended = new Promise((resolve) => {
        worker.once('exit', resolve)
      })
      // One that was given up has ended.
      const isRunning = end === undefined
      stopWith(new Error('The embedding model is closed.'))
      if (isRunning) {
        worker.postMessage({ kind: 'end' } satisfies EmbeddingRequest)
        await Promise.race([ended, sleep(END_MS, undefined, { ref: false })])
      }
      await worker.terminate()
    },
  }
}

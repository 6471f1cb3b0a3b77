import { cancelled, CitewellError } from './citewell-error.ts'

/** The end of one attempt: by the caller, or because the service was silent for too long. */
export interface Deadline {
  signal: AbortSignal
  /** Starts the time again: something came. */
  touch(milliseconds?: number): void
  /** Ends the attempt with `CANCELLED`. */
  abort(): void
  /** Nothing may end it any more. */
  clear(): void
}

/** The value of a promise, unless the caller ends the wait for it before that. */
export const unlessAborted = <Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const leave = () => reject(cancelled(signal?.reason))
    signal?.addEventListener('abort', leave)
    if (signal?.aborted === true) leave()
    void promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', leave))
  })

/**
 * @param caller - the caller's own signal
 * @param silenceMs - longest silence, in milliseconds; 0 for none
 */
export function createDeadline(caller: AbortSignal | undefined, silenceMs: number): Deadline {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const clear = () => {
    clearTimeout(timer)
    caller?.removeEventListener('abort', leave)
  }
  const end = (reason: CitewellError) => {
    clear()
    controller.abort(reason)
  }
  const leave = () => end(cancelled(caller?.reason))
  const late = () =>
    end(
      new CitewellError('The service did not answer in time.', {
        code: 'TIMEOUT',
        errorCode: 'timeout',
        retryable: true,
      }),
    )
  const touch = (milliseconds = silenceMs) => {
    clearTimeout(timer)
    if (milliseconds > 0 && !controller.signal.aborted) timer = setTimeout(late, milliseconds)
  }
  caller?.addEventListener('abort', leave)
  if (caller?.aborted === true) leave()
  touch()
  return { signal: controller.signal, touch, abort: () => end(cancelled()), clear }
}

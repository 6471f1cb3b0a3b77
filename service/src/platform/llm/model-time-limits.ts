import { ModelFailure } from './language-model.ts'

/** Time limits of a model call, in milliseconds. */
export interface ModelTimeLimits {
  /** From sending the question to the first piece of text (or of reasoning). */
  firstTokenMs: number
  /** Silence between two pieces. */
  betweenTokensMs: number
  /** The whole answer, including all attempts and the pauses between them. */
  totalMs: number
}

export const MODEL_TIME_LIMITS: ModelTimeLimits = {
  firstTokenMs: 30_000,
  betweenTokensMs: 15_000,
  totalMs: 120_000,
}

export interface ModelWatch {
  /** Aborted by the caller, by a limit, or by `close`. */
  readonly signal: AbortSignal
  /** Starts the clock of an attempt. */
  expectFirstToken(): void
  /** Restarts the clock after a piece. */
  expectNextToken(): void
  /** Stops the inner clock while the reader of the answer is busy: a slow reader must not count as a slow model. */
  pause(): void
  /** Why the signal was aborted; undefined if it was not. */
  failure(): ModelFailure | undefined
  /** Stops all clocks and closes open connections. */
  close(): void
}

/** Combines the caller's signal with the time limits of one answer. */
export function watchModel(callerSignal: AbortSignal, limits: ModelTimeLimits): ModelWatch {
  const ending = new AbortController()
  let failure: ModelFailure | undefined
  let first: NodeJS.Timeout | undefined
  /** One for all pieces, since there are many: it is started again by each, and ignored while `expectsToken` is false. */
  let silence: NodeJS.Timeout | undefined
  let expectsToken = false

  const end = (why: ModelFailure) => {
    failure ??= why
    ending.abort(failure)
  }
  const expire = (what: string, ms: number) => () => {
    end(new ModelFailure('timeout', `The model ${what} within ${ms} ms.`))
  }
  const stopInner = () => {
    clearTimeout(first)
    first = undefined
    expectsToken = false
  }
  const expireSilence = expire('stopped sending text and sent no more', limits.betweenTokensMs)

  const leave = () => end(new ModelFailure('cancelled', 'The answer was cancelled.'))
  const total = setTimeout(expire('did not finish', limits.totalMs), limits.totalMs)
  callerSignal.addEventListener('abort', leave, { once: true })
  if (callerSignal.aborted) leave()

  return {
    signal: ending.signal,
    expectFirstToken: () => {
      stopInner()
      first = setTimeout(expire('said nothing', limits.firstTokenMs), limits.firstTokenMs)
    },
    expectNextToken: () => {
      stopInner()
      expectsToken = true
      if (silence === undefined) {
        silence = setTimeout(() => {
          if (expectsToken) expireSilence()
        }, limits.betweenTokensMs)
      } else silence.refresh()
    },
    pause: stopInner,
    failure: () => failure,
    close: () => {
      stopInner()
      clearTimeout(silence)
      clearTimeout(total)
      callerSignal.removeEventListener('abort', leave)
      ending.abort()
    },
  }
}

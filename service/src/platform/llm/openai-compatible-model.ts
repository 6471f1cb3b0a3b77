import { BREAKER_SETTINGS, createCircuitBreaker, type BreakerSettings } from './circuit-breaker.ts'
import { openChatCompletion, type ChatEndpoint, type ModelFetch } from './chat-completion.ts'
import { ModelFailure, type LanguageModel, type ModelRequest } from './language-model.ts'
import { keptReason, modelFailureOf } from './model-failures.ts'
import { readModelStream } from './model-stream.ts'
import { MODEL_TIME_LIMITS, watchModel, type ModelTimeLimits, type ModelWatch } from './model-time-limits.ts'
import { retryBeforeFirstToken, type BegunAnswer } from './retry-before-first-token.ts'

export type { ModelFetch } from './chat-completion.ts'

export interface OpenAiCompatibleDeps {
  /** `fetch` behind the SSRF guard. */
  fetch: ModelFetch
  limits?: ModelTimeLimits
  breaker?: BreakerSettings
  /** 0 to 1, as jitter for the pauses between attempts. */
  random?: () => number
  /** Monotonic milliseconds. */
  now?: () => number
  /** Called when a call has ended, with all its attempts, also if none was made: with its failure, or without one if the model answered. */
  onCall?: (failure: ModelFailure | undefined) => void
}

/** Failures which show that the service is down, rather than that this one question failed. */
const DOWN = new Set(['unavailable', 'timeout'])

/** Failures of a model that answered: what is wrong is this one question, or its answer. */
const ANSWERED = new Set(['content_filtered', 'truncated'])

/** The last failure of the attempts of one call; undefined as long as the model was not asked. */
interface FailedAttempts {
  last: ModelFailure | undefined
}

/** OpenAI's newer models refuse `max_tokens`, the name that every other server knows. */
const wantsOtherTokenLimit = (failure: ModelFailure) =>
  failure.code === 'misconfigured' && failure.message.includes('max_completion_tokens')

/** A model behind any API that is compatible with OpenAI's chat completions. */
export function createOpenAiCompatibleModel(
  settings: ChatEndpoint,
  deps: OpenAiCompatibleDeps,
): LanguageModel {
  const { limits = MODEL_TIME_LIMITS, random = Math.random } = deps
  const breaker = createCircuitBreaker(
    deps.now ?? (() => performance.now()),
    deps.breaker ?? BREAKER_SETTINGS,
  )
  let tokenLimit = 'max_tokens'
  /** How the model failed last, without what its provider said of the question. No error: its stack would hold on to the request. */
  let lastFailure: { code: ModelFailure['code']; message: string } | undefined

  /** Tells how a call ended that reached for the model. One that its reader left before a word says nothing of the model. */
  function tell(failure: ModelFailure | undefined): void {
    if (failure?.code === 'cancelled') return
    deps.onCall?.(failure !== undefined && ANSWERED.has(failure.code) ? undefined : failure)
  }

  /** What went wrong, counted by the breaker if the service is down. */
  function counted(error: unknown): ModelFailure {
    const failure = modelFailureOf(error)
    if (DOWN.has(failure.code)) breaker.failed()
    return failure
  }

  async function attempt(
    request: ModelRequest,
    watch: ModelWatch,
    failed: FailedAttempts,
  ): Promise<BegunAnswer> {
    if (!breaker.admits())
      throw new ModelFailure(
        'unavailable',
        'The model failed several times in a row and is not called for a moment.',
      )
    const sent = tokenLimit
    const open = () =>
      openChatCompletion(
        settings,
        { ...request, signal: watch.signal },
        { fetch: deps.fetch, tokenLimit: sent },
      )
    const rest = readModelStream(open, watch)
    try {
      const step = await rest.next()
      breaker.succeeded()
      // Without any text it would have thrown.
      return { first: step.done === true ? '' : step.value, rest }
    } catch (error) {
      const failure = counted(error)
      failed.last = failure
      // By what this call has sent: another one may have learned the name meanwhile.
      if (sent !== 'max_tokens' || !wantsOtherTokenLimit(failure)) throw failure
      tokenLimit = 'max_completion_tokens'
      return await attempt(request, watch, failed)
    }
  }

  async function begin(request: ModelRequest, watch: ModelWatch): Promise<BegunAnswer> {
    const failed: FailedAttempts = { last: undefined }
    try {
      return await retryBeforeFirstToken(() => attempt(request, watch, failed), {
        signal: watch.signal,
        random,
      })
    } catch (error) {
      const failure = watch.failure() ?? failed.last
      if (failure !== undefined) {
        tell(failure)
        if (failure.code !== 'cancelled') lastFailure = { code: failure.code, message: keptReason(failure) }
      } else if (lastFailure !== undefined) {
        // A model that is left alone for a moment has not answered this question either: what is known is how it failed before.
        tell(new ModelFailure(lastFailure.code, lastFailure.message))
      }
      throw error
    }
  }

  async function* write(request: ModelRequest): AsyncGenerator<string, void, void> {
    const watch = watchModel(request.signal, limits)
    try {
      const { first, rest } = await begin(request, watch)
      let failure: ModelFailure | undefined
      try {
        yield first
        for await (const text of rest) {
          breaker.succeeded()
          yield text
        }
      } catch (error) {
        failure = counted(error)
        throw failure
      } finally {
        tell(failure)
        // The reader may have left at the first piece.
        await rest.return()
      }
    } finally {
      watch.close()
    }
  }

  return { name: settings.model, write }
}

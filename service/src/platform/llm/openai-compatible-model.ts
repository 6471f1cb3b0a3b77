import { BREAKER_SETTINGS, createCircuitBreaker, type BreakerSettings } from './circuit-breaker.ts'
import { openChatCompletion, type ChatEndpoint, type ModelFetch } from './chat-completion.ts'
import { ModelFailure, type LanguageModel, type ModelRequest } from './language-model.ts'
import { modelFailureOf } from './model-failures.ts'
import { readModelStream } from './model-stream.ts'
import { MODEL_TIME_LIMITS, watchModel, type ModelTimeLimits, type ModelWatch } from './model-time-limits.ts'
import { retryBeforeFirstToken, type BegunAnswer } from './retry-before-first-token.ts'

export type { ChatEndpoint, ModelFetch } from './chat-completion.ts'

export interface OpenAiCompatibleDeps {
  /** `fetch` behind the SSRF guard. */
  fetch: ModelFetch
  limits?: ModelTimeLimits
  breaker?: BreakerSettings
  /** 0 to 1, as jitter for the pauses between attempts. */
  random?: () => number
  /** Monotonic milliseconds. */
  now?: () => number
}

/** Failures which show that the service is down, rather than that this one question failed. */
const DOWN = new Set(['unavailable', 'timeout'])

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

  /** What went wrong, counted by the breaker if the service is down. */
  function counted(error: unknown): ModelFailure {
    const failure = modelFailureOf(error)
    if (DOWN.has(failure.code)) breaker.failed()
    return failure
  }

  async function attempt(request: ModelRequest, watch: ModelWatch): Promise<BegunAnswer> {
    if (!breaker.admits()) {
      throw new ModelFailure(
        'unavailable',
        'The model failed several times in a row and is not called for a moment.',
      )
    }
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
      // By what this call has sent: another one may have learned the name meanwhile.
      if (sent !== 'max_tokens' || !wantsOtherTokenLimit(failure)) throw failure
      tokenLimit = 'max_completion_tokens'
      return await attempt(request, watch)
    }
  }

  async function* write(request: ModelRequest): AsyncGenerator<string, void, void> {
    const watch = watchModel(request.signal, limits)
    try {
      const begin = () => attempt(request, watch)
      const { first, rest } = await retryBeforeFirstToken(begin, { signal: watch.signal, random })
      try {
        yield first
        for await (const text of rest) {
          breaker.succeeded()
          yield text
        }
      } catch (error) {
        throw counted(error)
      } finally {
        // The reader may have left at the first piece.
        await rest.return()
      }
    } finally {
      watch.close()
    }
  }

  return { name: settings.model, write }
}

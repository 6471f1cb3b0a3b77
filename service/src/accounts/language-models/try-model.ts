import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts'
import { redactAddresses } from '../../kernel/redact-addresses.ts'
import { ModelFailure, type LanguageModel } from '../../platform/llm/language-model.ts'
import type { ModelTimeLimits } from '../../platform/llm/model-time-limits.ts'

/** Time limits of a try: a person waits for it. */
export const TRY_TIME_LIMITS: ModelTimeLimits = {
  firstTokenMs: 15_000,
  betweenTokensMs: 5_000,
  totalMs: 20_000,
}

/** Enough that a model which thinks before it speaks may say a word. */
const OUTPUT_TOKENS = 200

const MESSAGES = [{ role: 'user' as const, content: 'Reply with the single word: yes' }]

/** The end of a provider's own sentence: it may be a whole page. */
const SAID_CHARACTERS = 300

const IN_PLAIN_WORDS: Partial<Record<ModelFailure['code'], string>> = {
  rate_limited: 'The provider is reached, but it refuses more questions at the moment.',
  content_filtered: 'The provider is reached, but its content filter ended the answer.',
  timeout: 'The model did not answer in time.',
}

/** How a try of a model ended. */
export interface TriedModel {
  /** Undefined if no model is set up. */
  model: string | undefined
  /** Milliseconds to the first piece of its answer; undefined if there was none. */
  firstMs: number | undefined
  /** What is wrong, in plain words; undefined if the model answered. */
  error: string | undefined
}

function causeOf(error: unknown): OutboundFailure | undefined {
  if (error instanceof OutboundFailure) return error
  return error instanceof Error ? causeOf(error.cause) : undefined
}

/** What is wrong, for those who set the model up. */
export function inPlainWords(failure: Pick<ModelFailure, 'code' | 'message' | 'cause'>): string {
  const outbound = causeOf(failure.cause)
  if (outbound !== undefined) return outbound.message
  const said = redactAddresses(failure.message)
  const bounded = said.length > SAID_CHARACTERS ? `${said.slice(0, SAID_CHARACTERS)}…` : said
  const known = IN_PLAIN_WORDS[failure.code]
  return known === undefined ? bounded : `${known} ${bounded}`
}

/**
 * Asks a model one tiny question, and stops it at its first word.
 *
 * @param now monotonic milliseconds
 */
export async function tryModel(
  model: LanguageModel,
  { signal, now }: { signal: AbortSignal; now: () => number },
): Promise<TriedModel> {
  const startedAt = now()
  const answered = () => ({ model: model.name, firstMs: Math.round(now() - startedAt), error: undefined })
  const pieces = model.write({ messages: MESSAGES, maxOutputTokens: OUTPUT_TOKENS, signal })
  try {
    await pieces.next()
    return answered()
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ModelFailure)) throw error
    // It used up its output with thinking: address, key and name of the model are right.
    if (error.code === 'truncated') return answered()
    return { model: model.name, firstMs: undefined, error: inPlainWords(error) }
  } finally {
    await pieces.return()
  }
}

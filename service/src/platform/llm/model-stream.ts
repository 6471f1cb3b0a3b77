import type { AnswerFailureCode } from '@citewell/contract/refusals'
import { DONE, partsOf, type AnswerPart, type ChatCompletion } from './chat-completion.ts'
import { ModelFailure } from './language-model.ts'
import { modelFailureOf } from './model-failures.ts'
import type { ModelWatch } from './model-time-limits.ts'
import { createThinkingFilter } from './thinking-in-text.ts'

/** Reasons for which an answer ends before it is complete: those of OpenAI, and what other servers say instead. */
const CUT_OFF: readonly { reasons: readonly string[]; code: AnswerFailureCode; because: string }[] = [
  {
    reasons: ['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'refusal'],
    code: 'content_filtered',
    because: 'The content filter of the model ended the answer.',
  },
  {
    reasons: ['length', 'max_tokens', 'model_length'],
    code: 'truncated',
    because: 'The model ran out of output tokens.',
  },
  {
    reasons: ['tool_calls', 'function_call', 'tool_use', 'malformed_function_call'],
    code: 'truncated',
    because: 'The model wanted to call a tool, and none was offered.',
  },
  {
    reasons: ['error', 'abort', 'insufficient_system_resource'],
    code: 'unavailable',
    because: 'The model gave the answer up.',
  },
]

function throwUnlessComplete(reason: string | undefined, hasSpoken: boolean): void {
  // Some servers add their own name: `content_filter: SAFETY`.
  const name = reason?.toLowerCase().split(':', 1)[0] ?? ''
  const cutOff = CUT_OFF.find(({ reasons }) => reasons.includes(name))
  if (cutOff !== undefined) throw new ModelFailure(cutOff.code, cutOff.because)
  if (!hasSpoken) throw new ModelFailure('internal', 'The model returned an empty answer.')
  if (reason === undefined) {
    // For example a proxy did so.
    throw new ModelFailure('truncated', 'The connection to the model ended before its answer did.')
  }
}

/**
 * The text of one attempt to generate an answer, as it arrives, within the time limits. One generator does all of it: each further one
 * costs time and memory for every piece of every answer.
 *
 * @throws ModelFailure unless the answer is complete
 */
export async function* readModelStream(
  open: () => Promise<ChatCompletion>,
  watch: ModelWatch,
): AsyncGenerator<string, void, void> {
  let hasSpoken = false
  let hasRefused = false
  let reason: string | undefined
  const spoken = createThinkingFilter()
  const throwIfEnded = () => {
    const failure = watch.failure()
    if (failure !== undefined) throw failure
  }

  /** The text of a part, if it is one for the reader. */
  const take = (part: AnswerPart): string | undefined => {
    if (part.kind === 'error') throw modelFailureOf(part.error)
    if (part.kind === 'refusal') hasRefused = true
    if (part.kind === 'end') reason = hasRefused && part.reason === 'stop' ? 'content_filter' : part.reason
    const text = part.kind === 'text' ? spoken.push(part.text) : ''
    if (part.kind === 'thinking' || (part.kind === 'text' && text === '')) watch.expectNextToken()
    return text === '' ? undefined : text
  }

  throwIfEnded()
  watch.expectFirstToken()
  try {
    const { body, eventsIn } = await open()
    reading: for await (const bytes of body) {
      for (const event of eventsIn(bytes)) {
        if (event === DONE) break reading
        for (const part of partsOf(event)) {
          throwIfEnded()
          const text = take(part)
          if (text === undefined) continue
          hasSpoken ||= text.trim() !== ''
          watch.pause()
          yield text
          throwIfEnded()
          watch.expectNextToken()
        }
      }
    }
  } catch (error) {
    throw watch.failure() ?? modelFailureOf(error)
  }
  throwIfEnded()
  const rest = spoken.end()
  if (rest.trim() !== '') {
    hasSpoken = true
    yield rest
  }
  throwUnlessComplete(reason, hasSpoken)
}

import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import type { LanguageModel, ModelMessage } from '../../../platform/llm/language-model.ts'
import type { Evidence } from '../../citations/citations.ts'
import type { Masking } from '../../pii/pii.ts'
import { createAnswerBound } from '../bound-answer.ts'
import { addressesIn } from '../evidence-addresses.ts'
import { sanitizeAnswerLinks } from '../sanitize-answer-links.ts'
import { NOT_COVERED_MARKER } from '../model-prompts.ts'
import { createSafeStream } from '../safe-stream.ts'

/** Maximum length of an answer, in tokens of the model. */
const ANSWER_TOKENS = 1_500

/** Maximum length of the marker with its decoration. */
const MAX_MARKER_LENGTH = 200

const MARKER = new RegExp(`^[\\s*_#>"']*${NOT_COVERED_MARKER.replace(' ', '[ _-]')}[\\s*_:."'-]*`, 'i')
const DECORATION = /^[\s*_#>"']*/

/** Whether the text so far may still become the "not covered" marker. */
const mayBecomeMarker = (said: string) => {
  const bare = said.replace(DECORATION, '').toUpperCase().replace(/[_-]/, ' ')
  return (
    NOT_COVERED_MARKER.startsWith(bare) ||
    (bare.startsWith(NOT_COVERED_MARKER) && MARKER.exec(said)?.[0] === said)
  )
}

/** Removes the "not covered" marker from the start of an answer and records it in the verdict. */
function createMarkerStripper(verdict: { saysNotCovered: boolean }) {
  let beginning: string | undefined = ''
  const begin = (said: string) => {
    const sign = MARKER.exec(said)?.[0]
    verdict.saysNotCovered = sign !== undefined
    beginning = undefined
    return said.slice(sign?.length ?? 0)
  }
  return {
    push: (piece: string): string => {
      if (beginning === undefined) return piece
      beginning += piece
      const mayGoOn = beginning.length < MAX_MARKER_LENGTH && mayBecomeMarker(beginning)
      return mayGoOn ? '' : begin(beginning)
    },
    end: (): string => (beginning === undefined ? '' : begin(beginning)),
  }
}

/**
 * Lets the model write the answer from the evidence. Text is passed on as it arrives, except for what is not safe to show
 * partially. If the model says that the evidence does not answer the question, the nearest passages follow. Throws a `ModelFailure`.
 *
 * One generator does all of it: each further one costs time and memory for every piece of every answer.
 */
export async function* writeAnswer(
  given: {
    evidence: readonly Evidence[]
    model: LanguageModel
    messages: ModelMessage[]
    masking: Masking
    /** Texts whose personal data the answer may repeat. */
    publicTexts: readonly string[]
    /** The sentence for a model that says only by the marker that it found nothing. */
    notCovered: string
    nearest: () => AsyncIterable<string>
  },
  verdict: { saysNotCovered: boolean },
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const { messages } = given
  const allowed = addressesIn(given.evidence)
  const safe = createSafeStream((part) => sanitizeAnswerLinks(part, allowed))
  const masked = given.masking.startAnswer(given.publicTexts)
  const stripped = createMarkerStripper(verdict)
  const bound = createAnswerBound()
  let hasWritten = false
  for await (const text of given.model.write({ messages, maxOutputTokens: ANSWER_TOKENS, signal })) {
    for (const piece of bound.piecesOf(text)) {
      // Masked first: a replaced address may be the label of a link, which the safe stream checks afterwards.
      const shown = safe.push(stripped.push(masked.push(piece)))
      hasWritten ||= shown.trim() !== ''
      if (shown !== '') yield shown
      const turn = yieldToEventLoop()
      if (turn !== undefined) await turn
    }
    bound.throwIfFull()
  }
  const rest = safe.push(stripped.push(masked.end()) + stripped.end()) + safe.end()
  if (rest !== '') yield rest
  if (!verdict.saysNotCovered) return
  if (!hasWritten && rest.trim() === '') yield given.notCovered
  yield* given.nearest()
}

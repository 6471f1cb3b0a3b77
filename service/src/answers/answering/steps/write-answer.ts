import type { LanguageModel, ModelMessage } from '../../../platform/llm/language-model.ts'
import type { Evidence } from '../../citations/citations.ts'
import { maskPieces, type MaskingStream } from '../../pii/pii.ts'
import { boundAnswer } from '../bound-answer.ts'
import { addressesIn } from '../evidence-addresses.ts'
import { keepToEvidence } from '../keep-to-evidence.ts'
import { NOT_COVERED_SIGN } from '../model-prompts.ts'
import { createSafeStream } from '../safe-stream.ts'

/** Longest answer, in tokens of the model. */
const ANSWER_TOKENS = 1_500

/** Beyond so much decoration it is no sign any more. */
const LONGEST_SIGN = 200

const SIGN = new RegExp(`^[\\s*_#>"']*${NOT_COVERED_SIGN.replace(' ', '[ _-]')}[\\s*_:."'-]*`, 'i')
const DECORATION = /^[\s*_#>"']*/

/** Whether what was said so far may still become the sign for "not covered". */
const mayBecomeSign = (said: string) => {
  const bare = said.replace(DECORATION, '').toUpperCase().replace(/[_-]/, ' ')
  return (
    NOT_COVERED_SIGN.startsWith(bare) || (bare.startsWith(NOT_COVERED_SIGN) && SIGN.exec(said)?.[0] === said)
  )
}

/** Takes the sign for "not covered" off the beginning of an answer and puts it into the verdict. */
async function* readSign(
  pieces: AsyncIterable<string>,
  verdict: { saysNotCovered: boolean },
): AsyncGenerator<string, void, void> {
  let beginning: string | undefined = ''
  const begin = (said: string) => {
    const sign = SIGN.exec(said)?.[0]
    verdict.saysNotCovered = sign !== undefined
    return said.slice(sign?.length ?? 0)
  }
  for await (const piece of pieces) {
    if (beginning === undefined) {
      yield piece
      continue
    }
    beginning += piece
    if (beginning.length < LONGEST_SIGN && mayBecomeSign(beginning)) continue
    yield begin(beginning)
    beginning = undefined
  }
  if (beginning !== undefined) yield begin(beginning)
}

/**
 * Has the model write the answer from the evidence. Text is passed on as it comes, but for what is not safe to show in
 * parts. Throws a `ModelFailure`.
 */
export async function* writeAnswer(
  given: {
    evidence: readonly Evidence[]
    model: LanguageModel
    messages: ModelMessage[]
    /** Masks personal data that the pages do not have. */
    masks: () => MaskingStream
  },
  verdict: { saysNotCovered: boolean },
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const { messages } = given
  const allowed = addressesIn(given.evidence)
  const safe = createSafeStream((part) => keepToEvidence(part, allowed))
  const written = boundAnswer(given.model.write({ messages, maxOutputTokens: ANSWER_TOKENS, signal }))
  // Masked first: what stands in the place of an address may be the label of a link, which the safe stream then judges.
  const masked = maskPieces(written, given.masks())
  for await (const piece of readSign(masked, verdict)) {
    const text = safe.push(piece)
    if (text !== '') yield text
  }
  const rest = safe.end()
  if (rest !== '') yield rest
}

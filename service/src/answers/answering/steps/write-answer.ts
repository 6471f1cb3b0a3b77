import type { LanguageModel } from '../../../platform/llm/language-model.ts'
import type { Evidence } from '../../citations/citations.ts'
import { addressesIn } from '../evidence-addresses.ts'
import { keepToEvidence } from '../keep-to-evidence.ts'
import { answerMessages, NOT_COVERED_SIGN } from '../model-prompts.ts'
import type { EarlierTurn, Question } from '../question.ts'
import { createSafeStream } from '../safe-stream.ts'

export interface WriteDeps {
  /** Something that no page can contain: new for each question. */
  newFence: () => string
}

/** Longest answer, in tokens of the model. */
const ANSWER_TOKENS = 1_500

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
    if (mayBecomeSign(beginning)) continue
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
    question: Question
    earlier: readonly EarlierTurn[]
    evidence: readonly Evidence[]
    model: LanguageModel
  },
  verdict: { saysNotCovered: boolean },
  { newFence }: WriteDeps,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const messages = answerMessages(given.question, given.evidence, given.earlier, newFence())
  const allowed = addressesIn(given.evidence)
  const safe = createSafeStream((part) => keepToEvidence(part, allowed))
  const written = given.model.write({ messages, maxOutputTokens: ANSWER_TOKENS, signal })
  for await (const piece of readSign(written, verdict)) {
    const text = safe.push(piece)
    if (text !== '') yield text
  }
  const rest = safe.end()
  if (rest !== '') yield rest
}

import { ANSWER_FAILURES, type AnswerFailureCode } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import { ModelFailure, type LanguageModel } from '../../platform/llm/language-model.ts'
import type { Citation } from '../citations/citations.ts'
import { beginTurn, noteAnswer, noteFound, stopwatch } from './answer-turn.ts'
import type { EarlierTurn, Question } from './question.ts'
import { admitQuestion, type AdmitDeps, type Admission } from './steps/admit-question.ts'
import { checkAnswer, type FinalAnswer } from './steps/check-citations.ts'
import { chooseEvidence, citationsFound, type ChooseDeps } from './steps/choose-evidence.ts'
import type { QuoteDeps } from './steps/quote-evidence.ts'
import { retrieveChunks, type RetrieveDeps } from './steps/retrieve-chunks.ts'
import { rewriteQuery } from './steps/rewrite-query.ts'
import { storeTurn, type StoreDeps, type TurnIds } from './steps/store-turn.ts'
import type { WriteDeps } from './steps/write-answer.ts'
import { startWriting } from './writers.ts'

export type { EarlierTurn, Question, Voice } from './question.ts'
export type { Admission } from './steps/admit-question.ts'
export type { AnsweredTurn, TurnIds } from './steps/store-turn.ts'
export type { AnswerTrace } from './trace.ts'

/** What happens while a question is answered, in this order: found, deltas, then finished or failed. */
export type AnswerEvent =
  | { kind: 'found'; citations: Citation[] }
  | { kind: 'delta'; text: string }
  | {
      kind: 'finished'
      cited: Citation[]
      covered: boolean
      /** 0 to 1. */
      confidence: number
      /** The whole answer, where it is another than the deltas made. */
      rewritten: string | undefined
      /** Undefined when nothing was kept. */
      ids: TurnIds | undefined
    }
  | { kind: 'failed'; code: AnswerFailureCode; retryable: boolean }

export interface AnsweringDeps extends AdmitDeps, RetrieveDeps, ChooseDeps, QuoteDeps, WriteDeps, StoreDeps {
  /** Earlier turns of the conversation that a question goes on with, oldest first: what its asker may still read. */
  history: (question: Question) => Promise<EarlierTurn[]>
  /** Without it answers are quotes. */
  model: LanguageModel | undefined
  /** Monotonic milliseconds, for the times of the steps. */
  now: () => number
}

function failureCode(fault: unknown, signal: AbortSignal): AnswerFailureCode {
  if (signal.aborted) return 'cancelled'
  return fault instanceof ModelFailure ? fault.code : 'internal'
}

export function createAnswering(deps: AnsweringDeps) {
  async function giveBack(admission: Admission): Promise<void> {
    await admission.giveBack().catch((fault: unknown) => deps.report(fault, 'giving a question back'))
  }

  /**
   * The whole life of an answer. Each step is a file of the same name in `steps/`. A question that is refused throws a
   * `Refusal` before the first event; whatever goes wrong later is the event `failed`. Aborting the signal, or ending the
   * loop, ends everything at once; what had been said by then is kept.
   */
  async function* answerQuestion(
    question: Question,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerEvent, void, void> {
    const turn = beginTurn(question)
    const time = stopwatch(turn.trace, deps.now)
    const admission = await admitQuestion(question, deps, signal)
    let check: ((isWhole: boolean) => FinalAnswer) | undefined
    try {
      const earlier = await deps.history(question)
      const query = await time('rewrite-query', rewriteQuery(question, earlier, deps, signal))
      const { passages, mode } = await time('retrieve-chunks', retrieveChunks(query, question, deps, signal))
      const { evidence, coverage } = chooseEvidence(query, passages, deps)
      const found = { query, mode, passages, evidence, coverage }
      noteFound(turn, found)
      yield { kind: 'found', citations: citationsFound(evidence, query) }

      const writtenAt = deps.now()
      const writing = startWriting({ ...found, question, earlier }, deps, signal)
      turn.trace.model = writing.writer === 'model' ? deps.model?.name : undefined
      check = (isWhole) => checkAnswer(turn.answer, evidence, { ...writing, coverage, isWhole })
      for await (const text of writing.pieces) {
        turn.answer += text
        yield { kind: 'delta', text }
      }
      signal.throwIfAborted()
      turn.trace.steps.push({ name: 'write-answer', ms: deps.now() - writtenAt })

      const streamed = turn.answer
      const checked = check(true)
      noteAnswer(turn, checked)
      turn.stoppedBy = undefined
      const ids = await storeTurn(turn, deps)
      const { text, cited, covered, confidence } = checked
      yield {
        kind: 'finished',
        cited,
        covered,
        confidence,
        rewritten: text === streamed ? undefined : text,
        ids,
      }
    } catch (fault) {
      const code = failureCode(fault, signal)
      turn.stoppedBy = code
      if (code !== 'cancelled' && turn.answer === '') await giveBack(admission)
      if (fault instanceof Refusal) throw fault
      if (code !== 'cancelled') deps.report(fault, 'answering a question')
      yield { kind: 'failed', code, retryable: ANSWER_FAILURES[code].retryable }
    } finally {
      if (turn.stoppedBy !== undefined && turn.answer !== '') {
        if (check !== undefined) noteAnswer(turn, check(false))
        await storeTurn(turn, deps)
      }
    }
  }

  return { answerQuestion }
}

export type Answering = ReturnType<typeof createAnswering>

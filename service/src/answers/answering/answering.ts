import { ANSWER_FAILURES, type AnswerFailureCode } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'
import type { SearchOutcome } from '../../content/search/search.ts'
import type { Evidence } from '../citations/citations.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { InFlightAnswers } from '../in-flight-answers/in-flight-answers.ts'
import { answerUnstored } from './answer-unstored.ts'
import { beginTurn, recordAnswer, stopwatch } from './answer-turn.ts'
import { beginAnswer, type BeginDeps } from './begin-answer.ts'
import { coverageFeatures, judgeCoverage } from './coverage-gate.ts'
import type { Question } from './question.ts'
import { checkAnswer } from './steps/check-citations.ts'
import { citationsFound } from './steps/choose-evidence.ts'
import { prepareQuestion, type PrepareDeps } from './steps/prepare-question.ts'
import { reserveQuota, type QuotaReservation, type ReserveQuotaDeps } from './steps/reserve-quota.ts'
import { storeTurn, type AnsweredTurn, type StoreDeps } from './steps/store-turn.ts'
import type { Writing } from './writers.ts'

export { collectAnswer, type FinishedAnswer } from './collect-answer.ts'
export { createQuestion, voiceOf, type AskedBase } from './create-question.ts'
export { languageOfQuestion } from './question-language.ts'
export type { EarlierTurn, Question, Voice } from './question.ts'
export type { QuestionSettings } from './steps/prepare-question.ts'
export type { AnsweredTurn } from './steps/store-turn.ts'
export { newTrace, type AnswerTrace, type TracedEvidence, type TracedPassage } from './trace.ts'
export type { AnswerEvent } from './answer-event.ts'

export interface AnsweringDeps extends PrepareDeps, ReserveQuotaDeps, BeginDeps {
  conversations: BeginDeps['conversations'] & StoreDeps['conversations']
  /** Aborts an in-flight answer when its base or key is closed. */
  inFlightAnswers: Pick<InFlightAnswers, 'open'>
  /** Monotonic clock in milliseconds, for the duration of the steps. */
  now: () => number
}

function failureCode(error: unknown, signal: AbortSignal): AnswerFailureCode {
  // A timeout aborts with a ModelFailure as the reason; any other abort means that the reader disconnected.
  if (signal.aborted) return signal.reason instanceof ModelFailure ? signal.reason.code : 'cancelled'
  return error instanceof ModelFailure ? error.code : 'internal'
}

/** A question is refunded if its answer failed upstream; not if the content filter or the reader ended it. */
const isUpstream = (code: AnswerFailureCode) => code !== 'cancelled' && code !== 'content_filtered'

export function createAnswering(given: AnsweringDeps) {
  async function refund(reservation: QuotaReservation): Promise<void> {
    await reservation.refund().catch((error: unknown) => given.report(error, 'refunding a question'))
  }

  /**
   * The complete life of an answer: the steps, in order. A question that is refused throws a `Refusal` before the first event; any later
   * failure is the event `failed`. Aborting the signal, or ending the iteration, ends everything immediately, as does closing its base or
   * key; the partial answer is then stored.
   */
  async function* answerQuestion(
    asked: Question,
    reader: AbortSignal,
  ): AsyncGenerator<AnswerEvent, void, void> {
    using inFlight = given.inFlightAnswers.open(asked, reader)
    const { signal, refusal } = inFlight
    const askedAt = given.now()
    const { question, context } = prepareQuestion(asked, given)
    const deps = { ...given, ...context }
    const turn = beginTurn(question)
    const time = stopwatch(turn.trace, deps.now, askedAt)
    const reservation = await reserveQuota(question, deps, signal)
    let begun: { writing: Writing; evidence: readonly Evidence[] } | undefined
    let hasBegun = false
    try {
      const { writing, evidence, query } = await beginAnswer(turn, deps, { time, signal })
      hasBegun = true
      inFlight.uses(turn.drewOn)
      yield { kind: 'found', citations: citationsFound(evidence, query) }

      const writtenAt = deps.now()
      begun = { writing, evidence }
      for await (const text of writing.pieces) {
        turn.answer += text
        turn.trace.firstMs ??= time.elapsed()
        yield { kind: 'delta', text }
      }
      signal.throwIfAborted()
      time.note('write-answer', writtenAt)

      const streamed = turn.answer
      const whole = { ...writing, text: streamed, isWhole: true }
      const checked = await time('check-citations', () => checkAnswer(whole, evidence, deps))
      recordAnswer(turn, checked)
      turn.trace.totalMs = time.elapsed()
      turn.stoppedBy = undefined
      const ids = await storeTurn(turn, deps)
      const { text, cited, covered, confidence } = checked
      const rewrittenAnswer = text === streamed ? undefined : text
      yield { kind: 'finished', cited, covered, confidence, rewritten: rewrittenAnswer, ids }
    } catch (error) {
      const code = failureCode(error, signal)
      turn.stoppedBy = code
      if (isUpstream(code) && turn.answer.trim() === '') await refund(reservation)
      const because = refusal()
      // The abort has this refusal as its reason: once the stream has begun, it is sent as the last event like any failure.
      if (error instanceof Refusal && !(hasBegun && because !== undefined)) throw error
      if (code !== 'cancelled') deps.report(error, 'answering a question')
      yield { kind: 'failed', code, retryable: ANSWER_FAILURES[code].retryable, ...(because && { because }) }
    } finally {
      if (turn.stoppedBy !== undefined && turn.answer.trim() !== '') {
        if (begun !== undefined) {
          const cutOff = { ...begun.writing, text: turn.answer, isWhole: false }
          recordAnswer(turn, checkAnswer(cutOff, begun.evidence, deps))
        }
        await storeTurn(turn, deps)
      }
    }
  }

  return {
    answerQuestion,
    /**
     * The same for the team of the base: nothing is counted, stored or announced.
     *
     * @throws Refusal UNAVAILABLE if it fails
     */
    answerUnstored: async (question: Question, signal: AbortSignal): Promise<AnsweredTurn> =>
      await answerUnstored(({ allowance, conversations }) =>
        createAnswering({
          ...given,
          allowance,
          conversations: { ...given.conversations, ...conversations },
        }).answerQuestion(question, signal),
      ),
  }
}

export type Answering = ReturnType<typeof createAnswering>

/** How likely what was found answers a query, 0 to 1. The same measure as for an answer, so that bases can be compared by it. */
export const confidenceIn = (query: string, found: Pick<SearchOutcome, 'passages' | 'pages'>): number =>
  judgeCoverage(coverageFeatures(query, found)).confidence

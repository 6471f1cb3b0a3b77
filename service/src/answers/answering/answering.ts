import { ANSWER_FAILURES, type AnswerFailureCode } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import { redactError } from '../../kernel/redact-error.ts'
import { withoutQueryCache } from '../../platform/embedding/embedder.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'
import type { SearchOutcome } from '../../content/search/search.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { InFlightAnswer, InFlightAnswers } from '../in-flight-answers/in-flight-answers.ts'
import { answerUnstored } from './answer-unstored.ts'
import { beginTurn, recordAnswer, recordFound, recordWriting, stopwatch } from './answer-turn.ts'
import { turnsShown } from './model-prompts.ts'
import { coverageFeatures, judgeCoverage } from './coverage-gate.ts'
import { textsOf } from './public-texts.ts'
import type { EarlierTurn, Question } from './question.ts'
import { reserveQuestion, type ReserveQuotaDeps, type QuotaReservation } from './steps/reserve-question.ts'
import { checkAnswer, type FinalAnswer } from './steps/check-citations.ts'
import { chooseEvidence, citationsFound, type ChooseDeps } from './steps/choose-evidence.ts'
import {
  coveredByCustomAnswer,
  findCustomAnswer,
  type FindCustomAnswerDeps,
} from './steps/find-custom-answer.ts'
import type { QuoteDeps } from './steps/quote-evidence.ts'
import { maskTurns, type PrepareDeps, type PreparedQuestion } from './steps/prepare-question.ts'
import { retrieveChunks, type RetrieveDeps } from './steps/retrieve-chunks.ts'
import { rewriteQuery } from './steps/rewrite-query.ts'
import { storeTurn, type AnsweredTurn, type StoreDeps } from './steps/store-turn.ts'
import { startWriting, type WriteDeps } from './writers.ts'

export type { PreparedQuestion } from './steps/prepare-question.ts'
export { collectAnswer, type FinishedAnswer } from './collect-answer.ts'
export { createQuestion, voiceOf, type AskedBase } from './create-question.ts'
export type { EarlierTurn, Question, QuestionSettings, Voice } from './question.ts'
export type { QuotaReservation } from './steps/reserve-question.ts'
export type { AnsweredTurn, TurnIds } from './steps/store-turn.ts'
export { newTrace, type AnswerTrace, type TracedEvidence, type TracedPassage } from './trace.ts'
export type { AnswerEvent } from './answer-event.ts'

export interface AnsweringDeps
  extends
    ReserveQuotaDeps,
    PrepareDeps,
    RetrieveDeps,
    ChooseDeps,
    FindCustomAnswerDeps,
    QuoteDeps,
    WriteDeps,
    StoreDeps {
  /** Earlier turns of the conversation that a question continues, oldest first, limited to what its asker may still read. */
  history: (question: Question) => Promise<EarlierTurn[]>
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

  /** The dependencies for one question. */
  const depsOf = ({ model, zeroRetention }: Omit<PreparedQuestion, 'question'>) => ({
    ...given,
    model,
    zeroRetention,
    embedder: zeroRetention ? withoutQueryCache(given.embedder) : given.embedder,
    report: (error: unknown, activity: string) =>
      given.report(zeroRetention ? redactError(error) : error, activity),
  })

  /**
   * The complete life of an answer. Each step is a file of the same name in `steps/`. A question that is refused throws a
   * `Refusal` before the first event; any later failure is the event `failed`. Aborting the signal, or ending the
   * iteration, ends everything immediately, as does closing its base or key; the partial answer is then stored.
   */
  async function* answerQuestion(
    asked: Question,
    reader: AbortSignal,
  ): AsyncGenerator<AnswerEvent, void, void> {
    const open = given.inFlightAnswers.open(asked, reader)
    try {
      yield* answer(asked, open)
    } finally {
      open.close()
    }
  }

  async function* answer(
    asked: Question,
    { signal, refusal }: InFlightAnswer,
  ): AsyncGenerator<AnswerEvent, void, void> {
    const askedAt = given.now()
    const { question, ...prepared } = await given.prepare(asked)
    const deps = depsOf(prepared)
    const { masking } = prepared
    const turn = beginTurn(question)
    const time = stopwatch(turn.trace, deps.now, askedAt)
    const reservation = await reserveQuestion(question, deps, signal)
    let check: ((isWhole: boolean) => FinalAnswer) | undefined
    let hasBegun = false
    try {
      const earlier = maskTurns(question.earlier ?? (await deps.history(question)), masking)
      turn.trace.earlier = turnsShown(earlier)
      const masked = masking.mask(await time('rewrite-query', rewriteQuery(question, earlier, deps, signal)))
      const retrieved = await time('retrieve-chunks', retrieveChunks(masked, question, deps, signal))
      const { passages, mode, repairedQuery: query = masked } = retrieved
      const { evidence, ...chosen } = time.of('choose-evidence', () => chooseEvidence(query, retrieved, deps))
      const custom =
        deps.model === undefined
          ? await findCustomAnswer({ ...question, query }, evidence, deps, signal)
          : undefined
      const coverage = custom === undefined ? chosen.coverage : coveredByCustomAnswer(chosen.coverage)
      const found = { query, mode, passages, evidence, coverage, custom }
      recordFound(turn, found, earlier)
      hasBegun = true
      yield { kind: 'found', citations: citationsFound(evidence, query) }

      const writtenAt = deps.now()
      const publicTexts = textsOf(question, evidence)
      const masks = () => masking.startAnswer(publicTexts)
      const writing = startWriting({ ...found, question, earlier, masks }, deps, signal)
      recordWriting(turn, writing, deps.model?.name)
      const checkWritten = (isWhole: boolean) => {
        const checked = checkAnswer(turn.answer, evidence, { ...writing, coverage, isWhole })
        // Quotes are text of the pages. In a model's answer, removing a part may join two pieces of a name: mask it once more.
        return writing.writer === 'model'
          ? { ...checked, text: masking.maskAnswer(checked.text, publicTexts) }
          : checked
      }
      check = checkWritten
      for await (const text of writing.pieces) {
        turn.answer += text
        turn.trace.firstMs ??= time.elapsed()
        yield { kind: 'delta', text }
      }
      signal.throwIfAborted()
      time.note('write-answer', writtenAt)

      const streamed = turn.answer
      const checked = time.of('check-citations', () => checkWritten(true))
      recordAnswer(turn, checked)
      turn.trace.totalMs = time.elapsed()
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
    } catch (error) {
      const code = failureCode(error, signal)
      turn.stoppedBy = code
      if (isUpstream(code) && turn.answer === '') await refund(reservation)
      const because = refusal()
      // The abort has this refusal as its reason: once the stream has begun, it is sent as the last event like any failure.
      if (error instanceof Refusal && !(hasBegun && because !== undefined)) throw error
      if (code !== 'cancelled') deps.report(error, 'answering a question')
      yield { kind: 'failed', code, retryable: ANSWER_FAILURES[code].retryable, ...(because && { because }) }
    } finally {
      if (turn.stoppedBy !== undefined && turn.answer !== '') {
        if (check !== undefined) recordAnswer(turn, check(false))
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
      await answerUnstored((stubs) =>
        createAnswering({ ...given, ...stubs }).answerQuestion(question, signal),
      ),
  }
}

export type Answering = ReturnType<typeof createAnswering>

/** How likely what was found answers a query, 0 to 1. The same measure as for an answer, so that bases can be compared by it. */
export const confidenceIn = (query: string, found: Pick<SearchOutcome, 'passages' | 'pages'>): number =>
  judgeCoverage(coverageFeatures(query, found)).confidence

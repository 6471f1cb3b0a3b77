import { ANSWER_FAILURES, type AnswerFailureCode } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import { redactError } from '../../kernel/redact-error.ts'
import { withoutQueryCache } from '../../platform/embedding/embedder.ts'
import { ModelFailure } from '../../platform/llm/language-model.ts'
import type { Passage } from '../../content/search/search.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { OpenAnswer, OpenAnswers } from '../open-answers/open-answers.ts'
import { answerUnkept } from './answer-unkept.ts'
import { beginTurn, noteAnswer, noteFound, noteWriting, stopwatch } from './answer-turn.ts'
import { turnsShown } from './model-prompts.ts'
import { coverageFeatures, judgeCoverage } from './coverage-gate.ts'
import { textsOf } from './public-texts.ts'
import type { EarlierTurn, Question } from './question.ts'
import { admitQuestion, type AdmitDeps, type Admission } from './steps/admit-question.ts'
import { checkAnswer, type FinalAnswer } from './steps/check-citations.ts'
import { chooseEvidence, citationsFound, type ChooseDeps } from './steps/choose-evidence.ts'
import { coveredByOwner, findCustomAnswer, type FindCustomAnswerDeps } from './steps/find-custom-answer.ts'
import type { QuoteDeps } from './steps/quote-evidence.ts'
import { maskTurns, type PrepareDeps, type PreparedQuestion } from './steps/prepare-question.ts'
import { retrieveChunks, type RetrieveDeps } from './steps/retrieve-chunks.ts'
import { rewriteQuery } from './steps/rewrite-query.ts'
import { storeTurn, type AnsweredTurn, type StoreDeps } from './steps/store-turn.ts'
import { startWriting, type WriteDeps } from './writers.ts'

export type { EarlierTurn, Question, Voice } from './question.ts'
export type { Admission } from './steps/admit-question.ts'
export type { AnsweredTurn, TurnIds } from './steps/store-turn.ts'
export type { AnswerTrace, TracedEvidence, TracedPassage } from './trace.ts'
export type { AnswerEvent } from './answer-event.ts'

export interface AnsweringDeps
  extends
    AdmitDeps,
    PrepareDeps,
    RetrieveDeps,
    ChooseDeps,
    FindCustomAnswerDeps,
    QuoteDeps,
    WriteDeps,
    StoreDeps {
  /** Earlier turns of the conversation that a question goes on with, oldest first: what its asker may still read. */
  history: (question: Question) => Promise<EarlierTurn[]>
  /** Ends an answer whose base or key goes away while it is written. */
  openAnswers: Pick<OpenAnswers, 'open'>
  /** Monotonic milliseconds, for the times of the steps. */
  now: () => number
}

function failureCode(fault: unknown, signal: AbortSignal): AnswerFailureCode {
  // Whoever ends an answer because it takes too long says so: that is no reader who left.
  if (signal.aborted) return signal.reason instanceof ModelFailure ? signal.reason.code : 'cancelled'
  return fault instanceof ModelFailure ? fault.code : 'internal'
}

/** A question is given back when its answer failed upstream; not when its own words, or its reader, ended it. */
const isUpstream = (code: AnswerFailureCode) => code !== 'cancelled' && code !== 'content_filtered'

export function createAnswering(given: AnsweringDeps) {
  async function giveBack(admission: Admission): Promise<void> {
    await admission.giveBack().catch((fault: unknown) => given.report(fault, 'giving a question back'))
  }

  /** The rooms, for one question. */
  const depsOf = ({ model, keepsNothing }: Omit<PreparedQuestion, 'question'>) => ({
    ...given,
    model,
    keepsNothing,
    embedder: keepsNothing ? withoutQueryCache(given.embedder) : given.embedder,
    report: (fault: unknown, doing: string) => given.report(keepsNothing ? redactError(fault) : fault, doing),
  })

  /**
   * The whole life of an answer. Each step is a file of the same name in `steps/`. A question that is refused throws a
   * `Refusal` before the first event; whatever goes wrong later is the event `failed`. Aborting the signal, or ending the
   * loop, ends everything at once; what had been said by then is kept. So does the end of its base or key.
   */
  async function* answerQuestion(
    asked: Question,
    reader: AbortSignal,
  ): AsyncGenerator<AnswerEvent, void, void> {
    const open = given.openAnswers.open(asked, reader)
    try {
      yield* answer(asked, open)
    } finally {
      open.close()
    }
  }

  async function* answer(
    asked: Question,
    { signal, refusal }: OpenAnswer,
  ): AsyncGenerator<AnswerEvent, void, void> {
    const askedAt = given.now()
    const { question, ...prepared } = await given.prepare(asked)
    const deps = depsOf(prepared)
    const { masking } = prepared
    const turn = beginTurn(question)
    const time = stopwatch(turn.trace, deps.now, askedAt)
    const admission = await admitQuestion(question, deps, signal)
    let check: ((isWhole: boolean) => FinalAnswer) | undefined
    let hasBegun = false
    try {
      const earlier = maskTurns(question.earlier ?? (await deps.history(question)), masking)
      turn.trace.earlier = turnsShown(earlier)
      const query = masking.mask(await time('rewrite-query', rewriteQuery(question, earlier, deps, signal)))
      const { passages, mode } = await time('retrieve-chunks', retrieveChunks(query, question, deps, signal))
      const { evidence, ...chosen } = time.of('choose-evidence', () => chooseEvidence(query, passages, deps))
      const custom =
        deps.model === undefined
          ? await findCustomAnswer({ ...question, query }, evidence, deps, signal)
          : undefined
      const coverage = custom === undefined ? chosen.coverage : coveredByOwner(chosen.coverage)
      const found = { query, mode, passages, evidence, coverage, custom }
      noteFound(turn, found, earlier)
      hasBegun = true
      yield { kind: 'found', citations: citationsFound(evidence, query) }

      const writtenAt = deps.now()
      const publicTexts = textsOf(question, evidence)
      const masks = () => masking.startAnswer(publicTexts)
      const writing = startWriting({ ...found, question, earlier, masks }, deps, signal)
      noteWriting(turn, writing, deps.model?.name)
      const checkWritten = (isWhole: boolean) => {
        const checked = checkAnswer(turn.answer, evidence, { ...writing, coverage, isWhole })
        // Quotes are the pages' own words. In a model's, what is taken out may bring two parts of a name together.
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
      noteAnswer(turn, checked)
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
    } catch (fault) {
      const code = failureCode(fault, signal)
      turn.stoppedBy = code
      if (isUpstream(code) && turn.answer === '') await giveBack(admission)
      const because = refusal()
      // The abort has this refusal for its reason: within a stream it is the last event, as any other end.
      if (fault instanceof Refusal && !(hasBegun && because !== undefined)) throw fault
      if (code !== 'cancelled') deps.report(fault, 'answering a question')
      yield { kind: 'failed', code, retryable: ANSWER_FAILURES[code].retryable, ...(because && { because }) }
    } finally {
      if (turn.stoppedBy !== undefined && turn.answer !== '') {
        if (check !== undefined) noteAnswer(turn, check(false))
        await storeTurn(turn, deps)
      }
    }
  }

  return {
    answerQuestion,
    /**
     * The same for somebody who looks after the base: nothing is counted, kept or announced.
     *
     * @throws Refusal UNAVAILABLE where it fails
     */
    answerUnkept: async (question: Question, signal: AbortSignal): Promise<AnsweredTurn> =>
      await answerUnkept((unkept) =>
        createAnswering({ ...given, ...unkept }).answerQuestion(question, signal),
      ),
  }
}

export type Answering = ReturnType<typeof createAnswering>

/** How likely these passages answer a query, 0 to 1: the same judgement as of an answer, and so one that bases can be compared by. */
export const confidenceIn = (query: string, passages: readonly Passage[]): number =>
  judgeCoverage(coverageFeatures(query, passages)).confidence

import type { Evidence } from '../citations/citations.ts'
import { recordFound, recordWriting, type stopwatch } from './answer-turn.ts'
import type { Coverage } from './coverage-gate.ts'
import { turnsShown } from './model-prompts.ts'
import { soughtFor } from './question-language.ts'
import type { ChooseDeps } from './steps/choose-evidence.ts'
import { coverageWith, findCustomAnswer, type FindCustomAnswerDeps } from './steps/find-custom-answer.ts'
import { findEvidence, likelierInEnglish } from './steps/find-evidence.ts'
import { judgeAlone, judgeFollowUp } from './steps/judge-follow-up.ts'
import type { AskContext } from './steps/prepare-question.ts'
import { readEarlierTurns, type ReadEarlierDeps } from './steps/read-earlier-turns.ts'
import type { RetrieveDeps } from './steps/retrieve-chunks.ts'
import { rewriteQuery } from './steps/rewrite-query.ts'
import type { AnsweredTurn } from './steps/store-turn.ts'
import { translatedFor } from './translate-question.ts'
import { startWriting, type WriteDeps, type Writing } from './writers.ts'

export type BeginDeps = ReadEarlierDeps & RetrieveDeps & ChooseDeps & FindCustomAnswerDeps & WriteDeps

/**
 * The steps before an answer is written, and its writer, which begins to write when its pieces are read.
 *
 * A function of its own, because what it holds is let go when it returns: all that was found, of which the writer gets the smaller part,
 * and the earlier turns. An answer is written for up to two minutes, and hundreds at the same time.
 */
export async function beginAnswer(
  turn: AnsweredTurn,
  deps: BeginDeps & AskContext,
  { time, signal }: { time: ReturnType<typeof stopwatch>; signal: AbortSignal },
): Promise<{ writing: Writing; evidence: readonly Evidence[]; query: string }> {
  const { question } = turn
  const earlier = await readEarlierTurns(question, deps)
  turn.trace.earlier = turnsShown(earlier)
  const own = deps.masking.mask(question.query)
  let judged: Promise<Coverage> | undefined
  const alone = () => (judged ??= judgeAlone(soughtFor(own, question, deps), question, deps, signal))
  const rewritten = await time('rewrite-query', () =>
    rewriteQuery(question, earlier, { ...deps, alone }, signal),
  )
  const masked = deps.masking.mask(rewritten)
  const sought = soughtFor(masked, question, deps)
  const find = async (query: string) => await findEvidence(query, question, deps, { time, signal })
  const english = translatedFor(masked, question, deps)
  const chosen = await likelierInEnglish(await find(sought), english, find)
  const { query, evidence, compared, passages, mode } = chosen
  const custom = await time('find-custom-answer', () =>
    findCustomAnswer({ ...question, own, query, masked }, evidence, deps, signal),
  )
  const coverage = coverageWith(
    custom,
    await judgeFollowUp({ own, sought, compared, alone }, chosen.coverage),
  )
  const found = { query, evidence, coverage, compared, custom }
  recordFound(turn, { ...found, mode, passages }, earlier)
  const writing = startWriting({ ...found, question, earlier }, deps, signal)
  recordWriting(turn, writing, deps.model?.name)
  return { writing, evidence, query }
}

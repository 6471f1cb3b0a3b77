import { Refusal } from '../../kernel/refusal.ts'
import { placeOfPage } from '../../kernel/page-of-address.ts'
import type { AddressedDocument } from '../../content/addresses/addresses.ts'
import { followLease } from '../../platform/jobs/follow-lease.ts'
import type { HeldRun } from '../fair-runs/fair-runs.ts'
import { releaseRun, renewRun } from '../../platform/storage/leased-runs.ts'
import { createQuestion, type AnsweredTurn, type AskedBase, type Question } from '../answering/answering.ts'
import {
  findNextQuestion,
  saveResult,
  type EvaluationResultRow,
  type EvaluationRunsDb,
} from './evaluation-runs-store.ts'

export interface RunEvaluationDeps {
  db: EvaluationRunsDb
  /** Answers without storing, counting or announcing anything. */
  answerUnstored: (question: Question, signal: AbortSignal) => Promise<AnsweredTurn>
  /** The public address of a document. */
  addressOf: (document: AddressedDocument) => string
  now: () => Date
}

/** The measures look no deeper. */
const DEPTH = 10
const SHOWN_PAGES = 5
const SHOWN_TITLE_CHARACTERS = 300

type Outcome = Pick<EvaluationResultRow, 'outcome' | 'rank' | 'cited' | 'found'>

const FAILED: Outcome = { outcome: 'failed', rank: null, cited: null, found: [] }

/** The pages that the search of an answer found, best first, each once. */
function pagesOf(turn: AnsweredTurn, addressOf: RunEvaluationDeps['addressOf']): Outcome['found'] {
  const pages = new Map<string, Outcome['found'][number]>()
  for (const passage of turn.trace.retrieved) {
    const { documentId, title } = passage
    if (pages.has(documentId)) continue
    pages.set(documentId, {
      document_id: documentId,
      title: title.slice(0, SHOWN_TITLE_CHARACTERS),
      url: addressOf(passage),
    })
  }
  return [...pages.values()]
}

function measure(
  { urls }: EvaluationResultRow,
  turn: AnsweredTurn,
  addressOf: RunEvaluationDeps['addressOf'],
): Outcome {
  const pages = pagesOf(turn, addressOf)
  const rank = placeOfPage(
    urls,
    pages.slice(0, DEPTH).map(({ url }) => url),
  )
  const cited = turn.citations.map(
    ({ document_id: id, url }) => pages.find((page) => page.document_id === id)?.url ?? url,
  )
  return {
    outcome: turn.covered ? 'answered' : 'refused',
    rank: rank ?? null,
    cited: urls.length === 0 ? null : placeOfPage(urls, cited) !== undefined,
    found: pages.slice(0, SHOWN_PAGES),
  }
}

/** One question as a reader would ask it. An answer that failed is a result; the service stopping is not. */
async function ask(
  deps: RunEvaluationDeps,
  base: AskedBase,
  asked: EvaluationResultRow,
  includeRestricted: boolean,
  signal: AbortSignal,
): Promise<Outcome> {
  const question = createQuestion(base, {
    query: asked.question,
    includeRestricted,
    asker: { surface: 'team', clientKeyId: undefined, userRef: undefined },
  })
  try {
    return measure(asked, await deps.answerUnstored(question, signal), deps.addressOf)
  } catch (error) {
    if (signal.aborted || !(error instanceof Refusal)) throw error
    return FAILED
  }
}

/**
 * Runs an evaluation to its end, question by question, from the first without an outcome. It stops when it is cancelled; when its turn is
 * over it waits again, and when the process stops, another one continues.
 */
export async function runEvaluation(
  deps: RunEvaluationDeps,
  held: HeldRun<'evaluations'>,
  { shutdown, isTurnOver }: { shutdown: AbortSignal; isTurnOver: () => Promise<boolean> },
): Promise<void> {
  const { db, now } = deps
  using lease = followLease(async () => await renewRun(db, 'evaluations', held, now()), shutdown)
  const { signal } = lease
  try {
    while (!signal.aborted) {
      const next = await findNextQuestion(db, held)
      if (next === undefined) {
        await releaseRun(db, 'evaluations', held, { status: 'succeeded', error: null }, now())
        return
      }
      if (next.base.status === 'archived') throw new Refusal('KNOWLEDGE_BASE_ARCHIVED')
      // A base that became external meanwhile has readers who see public pages only.
      const includeRestricted = held.row.include_restricted && next.base.type === 'internal'
      const outcome = await ask(deps, next.base, next.asked, includeRestricted, signal)
      if (!(await saveResult(db, held, next.asked.ordinal, outcome, now()))) return
      if (await isTurnOver()) break
    }
  } catch (fault) {
    if (!signal.aborted) {
      // The details of other errors are for the log; the owner only sees that it failed.
      const error = fault instanceof Refusal ? fault.message : 'Something went wrong here.'
      await releaseRun(db, 'evaluations', held, { status: 'failed', error }, now())
      if (!(fault instanceof Refusal)) throw fault
      return
    }
  }
  await releaseRun(db, 'evaluations', held, { status: 'queued', error: null }, now())
}

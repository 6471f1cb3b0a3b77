import { LIMITS } from '@citewell/contract/limits'
import type { KnowledgeBaseRow, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { canUse, type Caller } from '../../accounts/permissions/permissions.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { createFairRuns } from '../fair-runs/fair-runs.ts'
import { pagesReadableBy } from '../conversations/conversations.ts'
import {
  findRun,
  findRunBefore,
  insertRun,
  listResults,
  listRuns,
  type EvaluationResultRow,
  type EvaluationRow,
} from './evaluation-runs-store.ts'
import { runEvaluation, type RunEvaluationDeps } from './run-evaluation.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'
import { cancelRun } from '../../platform/storage/leased-runs.ts'

export interface EvaluationRunsDeps extends RunEvaluationDeps {
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  jobs: Pick<Jobs, 'enqueue'>
  newId: () => string
  report: (fault: unknown, doing: string) => void
}

const RUN_JOB = 'run-evaluation'

/** Longer than one answer takes with any model; a worker without a sign of life for this time has died. */
export const EVALUATION_ABANDONED_AFTER_SECONDS = 180

const notFound = () => new Refusal('NOT_FOUND', { because: 'There is no such evaluation.' })

/** A run with its results and those of another one. */
export interface ComparedRun {
  run: EvaluationRow
  results: EvaluationResultRow[]
  other: EvaluationRow | undefined
  earlier: EvaluationResultRow[]
  mayRead: (documentId: string) => boolean
}

/** Runs the evaluation set of a base in the background, and compares what came out. */
export function createEvaluationRuns(deps: EvaluationRunsDeps) {
  const { db, knowledgeBases, newId, now } = deps
  const runs = createFairRuns({
    ...deps,
    table: 'evaluations',
    jobName: RUN_JOB,
    run: async (held, given) => await runEvaluation(deps, held, given),
  })

  /** @throws Refusal CONFLICT if the set is empty, or a run has not ended; KNOWLEDGE_BASE_ARCHIVED */
  async function create(caller: Caller, knowledgeBaseId: string): Promise<EvaluationRow> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const row = {
      knowledge_base_id: base.id,
      id: newId(),
      status: 'queued' as const,
      include_restricted: base.type === 'internal' && canUse(caller, base, 'chat'),
      error: null,
      lease: null,
      started_at: null,
      finished_at: null,
      created_at: now(),
      updated_at: now(),
    }
    const outcome = await insertRun(db, row, LIMITS.evaluation.runs)
    if (outcome !== 'started')
      throw new Refusal('CONFLICT', {
        because:
          outcome === 'empty'
            ? 'The evaluation set has no question yet. Add some first.'
            : 'An evaluation of this knowledge base is running. Wait for its end, or cancel it.',
      })
    await runs.wake()
    return await find(row.id)
  }

  async function find(id: string): Promise<EvaluationRow> {
    const row = await findRun(db, id)
    if (row === undefined) throw notFound()
    return row
  }

  async function open(caller: Caller, id: string): Promise<{ run: EvaluationRow; base: KnowledgeBaseRow }> {
    const run = await find(id)
    return { run, base: await knowledgeBases.open(caller, run.knowledge_base_id, 'config') }
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<EvaluationRow[]> {
    const { id } = await knowledgeBases.open(caller, knowledgeBaseId, 'config')
    return await listRuns(db, { ...page, knowledgeBaseId: id })
  }

  /** @throws Refusal NOT_FOUND for another run that this base does not have */
  async function get(caller: Caller, id: string, against: string | undefined): Promise<ComparedRun> {
    const { run, base } = await open(caller, id)
    const other =
      against === undefined
        ? await findRunBefore(db, { knowledgeBaseId: base.id, id })
        : await findRun(db, against)
    if (against !== undefined && other?.knowledge_base_id !== base.id) throw notFound()
    const results = await listResults(db, base.id, id)
    const found = results.flatMap((result) => result.found.map(({ document_id: documentId }) => documentId))
    return {
      run,
      results,
      other,
      earlier: other === undefined ? [] : await listResults(db, base.id, other.id),
      mayRead: await pagesReadableBy(db, caller, base, found),
    }
  }

  async function cancel(caller: Caller, id: string): Promise<EvaluationRow> {
    const { base } = await open(caller, id)
    await cancelRun(db, 'evaluations', { knowledgeBaseId: base.id, id }, now())
    return await find(id)
  }

  async function remove(caller: Caller, id: string): Promise<void> {
    const { base } = await open(caller, id)
    await deleteRecord(db, 'evaluations', { knowledgeBaseId: base.id, id })
  }

  return { create, list, get, cancel, remove, recover: runs.recover, jobs: [runs.job] }
}

export type EvaluationRuns = ReturnType<typeof createEvaluationRuns>

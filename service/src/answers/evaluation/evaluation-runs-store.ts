import { sql, type Selectable } from 'kysely'
import type { PageRequest } from '../../kernel/paging.ts'
import { findKnowledgeBase, type KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { EvaluationResultsTable, EvaluationsTable } from './evaluation-tables.ts'
import { deleteRecord } from '../../platform/storage/base-records.ts'
import { renewRun, type LeasedRun } from '../../platform/storage/leased-runs.ts'

export type EvaluationRunsDb = Db<
  | 'evaluations'
  | 'evaluation_results'
  | 'evaluation_questions'
  | 'knowledge_bases'
  | 'workspaces'
  | 'documents'
  | 'sources'
>

export type EvaluationResultRow = Selectable<EvaluationResultsTable>

export interface EvaluationRow extends EvaluationsTable {
  completed: number
  failed: number
  /** Questions that name a page, without those that failed or were not asked. */
  with_page: number
  hit1: number
  hit5: number
  cited: number
  answerable: number
  covered: number
  unanswerable: number
  refused: number
}

/** Copies the set of the base into a new run; returns false if it has one that has not ended. */
export async function insertRun(
  db: EvaluationRunsDb,
  row: Omit<EvaluationsTable, 'total'>,
  keptRuns: number,
): Promise<'started' | 'running' | 'empty'> {
  return await db.transaction().execute(async (transaction: EvaluationRunsDb) => {
    const inserted = await transaction
      .insertInto('evaluations')
      .values({ ...row, total: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted === undefined) return 'running'
    const { numAffectedRows } = await sql`
      insert into evaluation_results (knowledge_base_id, evaluation_id, ordinal, question, urls, answerable, found)
      select knowledge_base_id, ${row.id}, row_number() over (order by id) - 1, question, urls, answerable, '[]'
      from evaluation_questions where knowledge_base_id = ${row.knowledge_base_id}`.execute(transaction)
    const total = Number(numAffectedRows ?? 0)
    const of = transaction.updateTable('evaluations').where('knowledge_base_id', '=', row.knowledge_base_id)
    await of.set({ total }).where('id', '=', row.id).execute()
    if (total === 0) {
      await deleteRecord(transaction, 'evaluations', { knowledgeBaseId: row.knowledge_base_id, id: row.id })
      return 'empty'
    }
    await sql`
      delete from evaluations where knowledge_base_id = ${row.knowledge_base_id} and id in (
        select id from evaluations where knowledge_base_id = ${row.knowledge_base_id}
        order by id desc offset ${keptRuns})`.execute(transaction)
    return 'started'
  })
}

const COUNTED = sql`
  select e.*, figures.* from evaluations e cross join lateral (
    select
      (count(*) filter (where r.outcome is not null))::int as completed,
      (count(*) filter (where r.outcome = 'failed'))::int as failed,
      (count(*) filter (where asked and has_page))::int as with_page,
      (count(*) filter (where asked and has_page and r.rank = 1))::int as hit1,
      (count(*) filter (where asked and has_page and r.rank <= 5))::int as hit5,
      (count(*) filter (where asked and has_page and r.cited))::int as cited,
      (count(*) filter (where asked and r.answerable))::int as answerable,
      (count(*) filter (where r.outcome = 'answered' and r.answerable))::int as covered,
      (count(*) filter (where asked and not r.answerable))::int as unanswerable,
      (count(*) filter (where r.outcome = 'refused' and not r.answerable))::int as refused
    from evaluation_results r cross join lateral (
      select r.outcome in ('answered', 'refused') as asked, r.answerable and jsonb_array_length(r.urls) > 0 as has_page
    ) of_result
    where r.knowledge_base_id = e.knowledge_base_id and r.evaluation_id = e.id
  ) figures`

/** A run by its id only: the caller must check access to its base. */
export async function findRun(db: EvaluationRunsDb, id: string): Promise<EvaluationRow | undefined> {
  const { rows } = await sql<EvaluationRow>`${COUNTED} where e.id = ${id}`.execute(db)
  return rows[0]
}

/** Newest first. */
export async function listRuns(
  db: EvaluationRunsDb,
  of: PageRequest & { knowledgeBaseId: string },
): Promise<EvaluationRow[]> {
  const isAfter = of.after === undefined ? sql`true` : sql`e.id < ${of.after}`
  const { rows } = await sql<EvaluationRow>`
    ${COUNTED} where e.knowledge_base_id = ${of.knowledgeBaseId} and ${isAfter}
    order by e.id desc limit ${of.limit}`.execute(db)
  return rows
}

/** The last run before another one that succeeded. */
export async function findRunBefore(
  db: EvaluationRunsDb,
  of: { knowledgeBaseId: string; id: string },
): Promise<EvaluationRow | undefined> {
  const { rows } = await sql<EvaluationRow>`
    ${COUNTED} where e.knowledge_base_id = ${of.knowledgeBaseId} and e.id < ${of.id} and e.status = 'succeeded'
    order by e.id desc limit 1`.execute(db)
  return rows[0]
}

export async function listResults(
  db: EvaluationRunsDb,
  knowledgeBaseId: string,
  evaluationId: string,
): Promise<EvaluationResultRow[]> {
  return await db
    .selectFrom('evaluation_results')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('evaluation_id', '=', evaluationId)
    .orderBy('ordinal')
    .execute()
}

/** The next question without an outcome, and the current state of the base. */
export async function findNextQuestion(
  db: EvaluationRunsDb,
  { knowledgeBaseId, id }: LeasedRun,
): Promise<{ asked: EvaluationResultRow; base: KnowledgeBaseRow } | undefined> {
  const asked = await db
    .selectFrom('evaluation_results')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('evaluation_id', '=', id)
    .where('outcome', 'is', null)
    .orderBy('ordinal')
    .limit(1)
    .executeTakeFirst()
  const base = await findKnowledgeBase(db, knowledgeBaseId)
  return asked === undefined || base === undefined ? undefined : { asked, base }
}

/** Stores what came out for a question, as the worker's sign of life. False if the lease was lost: then nothing is stored. */
export async function saveResult(
  db: EvaluationRunsDb,
  run: LeasedRun,
  ordinal: number,
  result: Pick<EvaluationResultRow, 'outcome' | 'rank' | 'cited' | 'found'>,
  now: Date,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction: EvaluationRunsDb) => {
    if (!(await renewRun(transaction, 'evaluations', run, now))) return false
    await transaction
      .updateTable('evaluation_results')
      .set({ ...result, found: JSON.stringify(result.found) })
      .where('knowledge_base_id', '=', run.knowledgeBaseId)
      .where('evaluation_id', '=', run.id)
      .where('ordinal', '=', ordinal)
      .execute()
    return true
  })
}

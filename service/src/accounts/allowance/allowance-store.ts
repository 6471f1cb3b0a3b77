import type { SURFACES } from '@citewell/contract/closed-lists'
import { PLANS } from '@citewell/contract/limits'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type AllowanceDb = Db<'workspaces' | 'knowledge_bases' | 'question_allowances' | 'question_usage'>

/** Where a question is asked. */
export type Surface = (typeof SURFACES)[number]

/** A question that was counted: for which workspace, and in which month. */
export interface CountedUnit {
  workspaceId: string
  /** `2026-11`. */
  month: string
  knowledgeBaseId: string
  surface: Surface
}

/** The monthly quota of the workspace `w`: the operator's number, or else its plan's. Null is no limit. */
const ALLOWANCE: RawBuilder<number | null> = sql`coalesce(w.monthly_question_allowance, case w.plan
  when 'free' then ${PLANS.free.monthlyQuestions}::integer
  when 'pro' then ${PLANS.pro.monthlyQuestions}::integer
  else ${PLANS.enterprise.monthlyQuestions}::integer end)`

/**
 * Counts one question of a base if its workspace has quota left. One statement, whose row lock serializes all processes.
 * Undefined when the quota is used up, and for a base that was deleted.
 */
export async function countQuestion(
  db: AllowanceDb,
  knowledgeBaseId: string,
  surface: Surface,
): Promise<CountedUnit | undefined> {
  const { rows } = await sql<{ workspace_id: string; month: string }>`
    with counted as (
      insert into question_allowances (workspace_id, month, used)
      select w.id, question_month(), 1
      from knowledge_bases b join workspaces w on w.id = b.workspace_id
      where b.id = ${knowledgeBaseId} and coalesce(${ALLOWANCE}, 1) > 0
      on conflict (workspace_id, month) do update set used = question_allowances.used + 1
        where (select coalesce(${ALLOWANCE} > question_allowances.used, true)
               from workspaces w where w.id = question_allowances.workspace_id)
      returning workspace_id, month
    )
    insert into question_usage (workspace_id, month, knowledge_base_id, used, surfaces)
    select workspace_id, month, ${knowledgeBaseId}::uuid, 1, jsonb_build_object(${surface}::text, 1) from counted
    on conflict (workspace_id, month, knowledge_base_id) do update set used = question_usage.used + 1,
      surfaces = question_usage.surfaces || jsonb_build_object(
        ${surface}::text, coalesce((question_usage.surfaces ->> ${surface}::text)::integer, 0) + 1)
    returning workspace_id, month`.execute(db)
  const [counted] = rows
  return counted && { workspaceId: counted.workspace_id, month: counted.month, knowledgeBaseId, surface }
}

/** Subtracts a question from the month in which it was counted, whatever the current month. */
export async function refundQuestion(db: AllowanceDb, unit: CountedUnit): Promise<void> {
  await sql`
    with uncounted as (
      update question_allowances set used = used - 1
      where workspace_id = ${unit.workspaceId} and month = ${unit.month} and used > 0
      returning workspace_id
    )
    update question_usage set used = used - 1, given_back = given_back + 1,
      surfaces = surfaces || jsonb_build_object(
        ${unit.surface}::text, greatest(0, coalesce((surfaces ->> ${unit.surface}::text)::integer, 0) - 1))
    where workspace_id = ${unit.workspaceId} and month = ${unit.month}
      and knowledge_base_id = ${unit.knowledgeBaseId} and exists (select from uncounted)`.execute(db)
}

/** Whether the workspace of a base has no quota. */
export async function hasNoLimit(db: AllowanceDb, knowledgeBaseId: string): Promise<boolean> {
  const { rows } = await sql<{ allowance: number | null }>`
    select ${ALLOWANCE} as allowance from knowledge_bases b join workspaces w on w.id = b.workspace_id
    where b.id = ${knowledgeBaseId}`.execute(db)
  return rows[0]?.allowance === null
}

export async function hasKnowledgeBase(db: AllowanceDb, knowledgeBaseId: string): Promise<boolean> {
  const row = await db
    .selectFrom('knowledge_bases')
    .select('id')
    .where('id', '=', knowledgeBaseId)
    .executeTakeFirst()
  return row !== undefined
}

export interface MonthOfWorkspace {
  month: string
  used: number
  allowance: number | null
  resets_at: Date
}

/** The current month of a workspace, by the database's clock; undefined for a workspace that does not exist. */
export async function readMonth(db: AllowanceDb, workspaceId: string): Promise<MonthOfWorkspace | undefined> {
  const { rows } = await sql<MonthOfWorkspace>`
    select m.month, coalesce(a.used, 0) as used, ${ALLOWANCE} as allowance,
      ((m.month || '-01')::timestamp + interval '1 month') at time zone 'utc' as resets_at
    from workspaces w
    cross join (select question_month() as month) m
    left join question_allowances a on a.workspace_id = w.id and a.month = m.month
    where w.id = ${workspaceId}`.execute(db)
  return rows[0]
}

/** Questions of each base in a month, most first; the name is null if the base was deleted. */
export async function readUsageByBase(db: AllowanceDb, workspaceId: string, month: string) {
  return await db
    .selectFrom('question_usage')
    .leftJoin('knowledge_bases', (join) =>
      join
        .onRef('knowledge_bases.id', '=', 'question_usage.knowledge_base_id')
        .onRef('knowledge_bases.workspace_id', '=', 'question_usage.workspace_id'),
    )
    .select([
      'question_usage.knowledge_base_id',
      'knowledge_bases.name',
      'knowledge_bases.workspace_members_can_chat',
      'question_usage.used',
      'question_usage.surfaces',
    ])
    .where('question_usage.workspace_id', '=', workspaceId)
    .where('question_usage.month', '=', month)
    .where('question_usage.used', '>', 0)
    .orderBy('question_usage.used', 'desc')
    .orderBy('question_usage.knowledge_base_id')
    .execute()
}

/** Questions of a workspace in this month and the months before it, oldest first. */
export async function readHistory(
  db: AllowanceDb,
  workspaceId: string,
  of: { month: string; months: number },
): Promise<{ month: string; questions: number }[]> {
  const { rows } = await sql<{ month: string; questions: number }>`
    select m.month, coalesce(sum(u.used), 0)::integer as questions
    from (
      select to_char(${`${of.month}-01`}::date - make_interval(months => back), 'YYYY-MM') as month
      from generate_series(0, ${of.months - 1}::integer) back
    ) m
    left join question_usage u on u.workspace_id = ${workspaceId} and u.month = m.month
    group by m.month order by m.month`.execute(db)
  return rows
}

import { sql } from 'kysely'
import { opensThread, type AskedQuestion, type InRange } from '../analytics/analytics.ts'
import type { KnowledgeGapsTable } from './knowledge-gaps-tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export type KnowledgeGapsDb = Db<
  | 'knowledge_gaps'
  | 'knowledge_gap_questions'
  | 'messages'
  | 'threads'
  | 'feedback'
  | 'documents'
  | 'sources'
  | 'custom_answers'
  | 'workspaces'
>

/** A question with the gap that it is in. */
export type GapMember = AskedQuestion & { gap_id: string }

/** A question is one of a gap as long as its answer is not covered, or rated down. */
const isGap = sql`(f.vote = 'down' or (m.stopped_by is null and not m.covered))`

const membersOf = (knowledgeBaseId: string) => sql`
  knowledge_gap_questions q
  join messages m on m.knowledge_base_id = q.knowledge_base_id and m.id = q.message_id
  left join feedback f on f.knowledge_base_id = m.knowledge_base_id and f.message_id = m.id
  where q.knowledge_base_id = ${knowledgeBaseId} and ${isGap}`

/** The gaps of some questions. */
export async function readGapsOf(
  db: KnowledgeGapsDb,
  knowledgeBaseId: string,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('knowledge_gap_questions')
    .select(['message_id', 'gap_id'])
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('message_id', '=', sql<string>`any(${[...messageIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.message_id, row.gap_id]))
}

/** The latest questions of each gap, those of the most recently asked gaps first. */
export async function readRepresentatives(
  db: KnowledgeGapsDb,
  knowledgeBaseId: string,
  most: { perGap: number; inAll: number },
): Promise<GapMember[]> {
  const { rows } = await sql<GapMember>`
    select * from (
      select m.id, m.thread_id, m.query, m.rewritten_query, ${opensThread} as opens_thread, m.covered, m.stopped_by, f.vote,
      f.comment, m.created_at, q.gap_id,
        row_number() over (partition by q.gap_id order by m.created_at desc, m.id) as place
      from ${membersOf(knowledgeBaseId)}
    ) of_gaps where place <= ${most.perGap} order by created_at desc, id limit ${most.inAll}`.execute(db)
  return rows
}

/** How many questions of each gap were asked in a range. */
export async function countQuestions(db: KnowledgeGapsDb, range: InRange): Promise<Map<string, number>> {
  const { rows } = await sql<{ gap_id: string; count: number }>`
    select q.gap_id, count(*)::int as count from ${membersOf(range.knowledgeBaseId)}
      and m.created_at >= ${range.from} and m.created_at < ${range.before}
    group by q.gap_id`.execute(db)
  return new Map(rows.map((row) => [row.gap_id, row.count]))
}

/**
 * Puts questions into gaps, and makes the gaps that do not exist. A question that is in one already, or whose conversation was deleted
 * meanwhile, is passed over; a new gap that got none is not kept.
 */
export async function saveMembers(
  db: KnowledgeGapsDb,
  of: { knowledgeBaseId: string; members: readonly { messageId: string; gapId: string }[]; now: Date },
): Promise<void> {
  const gapIds = [...new Set(of.members.map(({ gapId }) => gapId))]
  await db.transaction().execute(async (transaction: KnowledgeGapsDb) => {
    const { rows } = await sql<{ id: string }>`
      insert into knowledge_gaps (knowledge_base_id, id, status, created_at, updated_at)
      select ${of.knowledgeBaseId}, id, 'open', ${of.now}::timestamptz, ${of.now}::timestamptz
      from unnest(${gapIds}::uuid[]) as given (id)
      on conflict (knowledge_base_id, id) do nothing returning id`.execute(transaction)
    await sql`
      insert into knowledge_gap_questions (knowledge_base_id, message_id, gap_id)
      select m.knowledge_base_id, m.id, given.gap_id
      from unnest(${of.members.map(({ messageId }) => messageId)}::uuid[],
        ${of.members.map(({ gapId }) => gapId)}::uuid[]) as given (message_id, gap_id)
      join messages m on m.knowledge_base_id = ${of.knowledgeBaseId} and m.id = given.message_id
      join knowledge_gaps g on g.knowledge_base_id = ${of.knowledgeBaseId} and g.id = given.gap_id
      on conflict (knowledge_base_id, message_id) do nothing`.execute(transaction)
    await sql`
      delete from knowledge_gaps g
      where g.knowledge_base_id = ${of.knowledgeBaseId} and g.id = any(${rows.map(({ id }) => id)}::uuid[])
        and not exists (select 1 from knowledge_gap_questions q
          where q.knowledge_base_id = g.knowledge_base_id and q.gap_id = g.id)`.execute(transaction)
  })
}

/** Opens every resolved gap of which a question was asked afterwards and not covered. */
export async function reopenGaps(db: KnowledgeGapsDb, knowledgeBaseId: string): Promise<void> {
  await sql`
    update knowledge_gaps g set status = 'open', reopened_at = again.at, updated_at = greatest(g.updated_at, again.at)
    from (
      select q.gap_id, min(m.created_at) as at
      from knowledge_gaps resolved
      join knowledge_gap_questions q on q.knowledge_base_id = resolved.knowledge_base_id and q.gap_id = resolved.id
      join messages m on m.knowledge_base_id = q.knowledge_base_id and m.id = q.message_id
      left join feedback f on f.knowledge_base_id = m.knowledge_base_id and f.message_id = m.id
      where resolved.knowledge_base_id = ${knowledgeBaseId} and resolved.status = 'resolved'
        and m.created_at > resolved.resolved_at and ${isGap}
      group by q.gap_id
    ) again
    where g.knowledge_base_id = ${knowledgeBaseId} and g.id = again.gap_id and g.status = 'resolved'`.execute(
    db,
  )
}

/** A gap with the result of its last replay. */
export interface GapRow extends KnowledgeGapsTable {
  replayed_at: Date | null
  replayed: number
  replay_covered: number
}

const selectGaps = (db: KnowledgeGapsDb) =>
  db
    .selectFrom('knowledge_gaps')
    .selectAll('knowledge_gaps')
    .select((row) => {
      const questions = row
        .selectFrom('knowledge_gap_questions')
        .whereRef('knowledge_gap_questions.knowledge_base_id', '=', 'knowledge_gaps.knowledge_base_id')
        .whereRef('knowledge_gap_questions.gap_id', '=', 'knowledge_gaps.id')
      return [
        questions.select(({ fn }) => fn.max('replayed_at').as('at')).as('replayed_at'),
        questions.select(({ fn }) => fn.count<number>('replay_covered').as('count')).as('replayed'),
        questions
          .select(({ fn }) => fn.count<number>('message_id').as('count'))
          .where('replay_covered', '=', true)
          .as('replay_covered'),
      ]
    })

const gapOf = (
  row: KnowledgeGapsTable & {
    replayed_at: Date | null
    replayed: number | null
    replay_covered: number | null
  },
): GapRow => ({ ...row, replayed: Number(row.replayed), replay_covered: Number(row.replay_covered) })

export async function readGaps(
  db: KnowledgeGapsDb,
  knowledgeBaseId: string,
  ids: readonly string[],
): Promise<Map<string, GapRow>> {
  const rows = await selectGaps(db)
    .where('knowledge_gaps.knowledge_base_id', '=', knowledgeBaseId)
    .where('knowledge_gaps.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, gapOf(row)]))
}

export async function changeGap(
  db: KnowledgeGapsDb,
  { knowledge_base_id: knowledgeBaseId, id }: Pick<KnowledgeGapsTable, 'knowledge_base_id' | 'id'>,
  changes: Partial<
    Pick<
      KnowledgeGapsTable,
      'status' | 'note' | 'custom_answer_id' | 'resolved_at' | 'reopened_at' | 'updated_at'
    >
  >,
): Promise<void> {
  await db
    .updateTable('knowledge_gaps')
    .set(changes)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .execute()
}

export async function hasCustomAnswer(
  db: KnowledgeGapsDb,
  knowledgeBaseId: string,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('custom_answers')
    .select('id')
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** A question of a gap as it is shown, with what its search found. */
export type ShownMember = GapMember & {
  surface: string
  replay_covered: boolean | null
  trace: Record<string, unknown>
}

/** The questions of a gap, the most recent first. */
export async function readMembers(
  db: KnowledgeGapsDb,
  of: { knowledgeBaseId: string; gapId: string; most: number },
): Promise<ShownMember[]> {
  const { rows } = await sql<ShownMember>`
    select m.id, m.thread_id, m.query, m.rewritten_query, ${opensThread} as opens_thread, m.covered, m.stopped_by, f.vote,
      f.comment, m.created_at, q.gap_id,
      q.replay_covered, m.trace, t.surface
    from knowledge_gap_questions q
    join messages m on m.knowledge_base_id = q.knowledge_base_id and m.id = q.message_id
    join threads t on t.knowledge_base_id = m.knowledge_base_id and t.id = m.thread_id
    left join feedback f on f.knowledge_base_id = m.knowledge_base_id and f.message_id = m.id
    where q.knowledge_base_id = ${of.knowledgeBaseId} and q.gap_id = ${of.gapId} and ${isGap}
    order by m.created_at desc, m.id limit ${of.most}`.execute(db)
  return rows
}

/** Replaces the results of an earlier replay of the gap. */
export async function saveReplay(
  db: KnowledgeGapsDb,
  of: {
    knowledgeBaseId: string
    gapId: string
    now: Date
    outcomes: readonly { messageId: string; covered: boolean }[]
  },
): Promise<void> {
  const ids = of.outcomes.map(({ messageId }) => messageId)
  const covered = of.outcomes.map((outcome) => outcome.covered)
  await sql`
    update knowledge_gap_questions q
    set replay_covered = given.covered, replayed_at = case when given.message_id is null then null else ${of.now}::timestamptz end
    from knowledge_gap_questions own
    left join unnest(${ids}::uuid[], ${covered}::boolean[]) as given (message_id, covered) on given.message_id = own.message_id
    where q.knowledge_base_id = ${of.knowledgeBaseId} and q.gap_id = ${of.gapId}
      and own.knowledge_base_id = q.knowledge_base_id and own.message_id = q.message_id`.execute(db)
}

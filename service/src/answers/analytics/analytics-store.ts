import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type AnalyticsDb = Db<
  'messages' | 'threads' | 'feedback' | 'documents' | 'deflections' | 'question_vectors' | 'mcp_feedback'
>

/** Selects the messages of a base in a time range. */
export interface InRange {
  knowledgeBaseId: string
  from: Date
  before: Date
}

const withRatings = ({ knowledgeBaseId, from, before }: InRange): RawBuilder<unknown> => sql`
  messages m left join feedback f on f.knowledge_base_id = m.knowledge_base_id and f.message_id = m.id
  where m.knowledge_base_id = ${knowledgeBaseId} and m.created_at >= ${from} and m.created_at < ${before}`

const counts = sql`
  count(*)::int as questions,
  (count(*) filter (where m.stopped_by is null))::int as finished,
  (count(*) filter (where m.stopped_by is null and not m.covered))::int as not_covered,
  (count(*) filter (where f.vote = 'up'))::int as up,
  (count(*) filter (where f.vote = 'down'))::int as down`

/** How many questions there were, and how they were answered. Stopped answers count as neither covered nor not covered. */
export interface Counts {
  questions: number
  finished: number
  not_covered: number
  up: number
  down: number
}

export interface Totals extends Counts {
  conversations: number
  /** Milliseconds, 50th and 95th percentile; null if there are none. */
  first_ms: [number, number] | null
  total_ms: [number, number] | null
}

export async function readTotals(db: AnalyticsDb, inRange: InRange): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select ${counts}, count(distinct m.thread_id)::int as conversations,
      percentile_cont(array[0.5, 0.95]) within group (order by m.first_ms) as first_ms,
      percentile_cont(array[0.5, 0.95]) within group (order by m.total_ms) as total_ms
    from ${withRatings(inRange)}`.execute(db)
  const [totals] = rows
  if (totals === undefined) throw new Error('an aggregate without a row')
  return totals
}

/** One day of one surface. */
export interface DayCounts extends Counts {
  day: string
  surface: string
}

export async function readDays(
  db: AnalyticsDb,
  { knowledgeBaseId, from, before }: InRange,
): Promise<DayCounts[]> {
  const { rows } = await sql<DayCounts>`
    select to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD') as day, t.surface, ${counts}
    from messages m
    join threads t on t.knowledge_base_id = m.knowledge_base_id and t.id = m.thread_id
    left join feedback f on f.knowledge_base_id = m.knowledge_base_id and f.message_id = m.id
    where m.knowledge_base_id = ${knowledgeBaseId} and m.created_at >= ${from} and m.created_at < ${before}
    group by 1, 2`.execute(db)
  return rows
}

export interface CitedPage {
  document_id: string
  title: string
  url: string
  answers: number
  rated_down: number
}

/** The most cited pages that still exist; of the latest answers. A refusal quotes near pages, which answered nothing. */
export async function readCitedPages(
  db: AnalyticsDb,
  inRange: InRange,
  of: { includeRestricted: boolean; ofAnswers: number; most: number },
): Promise<CitedPage[]> {
  const { rows } = await sql<CitedPage>`
    with answers as (
      select m.id, m.citations, f.vote from ${withRatings(inRange)} and m.covered order by m.created_at desc limit ${of.ofAnswers}
    ), cited as (
      select distinct answers.id, answers.vote, (citation ->> 'document_id')::uuid as document_id
      from answers, jsonb_array_elements(answers.citations) citation
    )
    select d.id as document_id, d.title, d.url, count(*)::int as answers,
      (count(*) filter (where cited.vote = 'down'))::int as rated_down
    from cited join documents d on d.knowledge_base_id = ${inRange.knowledgeBaseId} and d.id = cited.document_id
    where d.live_version is not null and (${of.includeRestricted} or d.visibility = 'public')
    group by d.id, d.title, d.url order by answers desc, d.id limit ${of.most}`.execute(db)
  return rows
}

export interface Deflected {
  answered: number
  deflected: number
  submitted: number
}

/** The outcomes of support forms. */
export async function readDeflections(db: AnalyticsDb, of: InRange): Promise<Deflected> {
  const { rows } = await sql<Deflected>`
    select (count(*) filter (where answered))::int as answered,
      (count(*) filter (where outcome = 'deflected'))::int as deflected,
      (count(*) filter (where outcome = 'submitted'))::int as submitted
    from deflections
    where knowledge_base_id = ${of.knowledgeBaseId} and created_at >= ${of.from} and created_at < ${of.before}`.execute(
    db,
  )
  return rows[0] ?? { answered: 0, deflected: 0, submitted: 0 }
}

/**
 * How often AI tools reported something, and about which pages. Pages of a member's report are only included for callers who may
 * read them.
 */
export async function readReports(
  db: AnalyticsDb,
  of: InRange,
  given: { includeRestricted: boolean; most: number },
): Promise<{ count: number; pages: { url: string; reports: number }[] }> {
  const inRange = sql`knowledge_base_id = ${of.knowledgeBaseId} and created_at >= ${of.from} and created_at < ${of.before}`
  const total = await sql<{ count: number }>`
    select count(*)::int as count from mcp_feedback where ${inRange}`.execute(db)
  const pages = await sql<{ url: string; reports: number }>`
    select url, count(*)::int as reports from mcp_feedback
    where ${inRange} and url is not null
      and (${given.includeRestricted} or client_key_id is not null or user_ref like 'reader:%')
    group by url order by reports desc, url limit ${given.most}`.execute(db)
  return { count: total.rows[0]?.count ?? 0, pages: pages.rows }
}

/** A question with its outcome. */
export interface AskedQuestion {
  id: string
  thread_id: string
  query: string
  rewritten_query: string | null
  /** It is the first of its conversation: its own words are whole, also where others were searched for. */
  opens_thread: boolean
  covered: boolean
  stopped_by: string | null
  vote: 'up' | 'down' | null
  comment: string | null
  created_at: Date
}

/** `opens_thread` of a message `m`. */
export const opensThread = sql<boolean>`not exists (
  select from messages earlier where earlier.knowledge_base_id = m.knowledge_base_id
    and earlier.thread_id = m.thread_id and earlier.created_at < m.created_at)`

/** Questions, latest first; `gaps`: only those whose answer was not covered or rated down. */
export async function readQuestions(
  db: Db<'messages' | 'feedback'>,
  inRange: InRange,
  of: { gaps: boolean; most: number },
): Promise<AskedQuestion[]> {
  const isGap = of.gaps ? sql`and (f.vote = 'down' or (m.stopped_by is null and not m.covered))` : sql``
  const { rows } = await sql<AskedQuestion>`
    select m.id, m.thread_id, m.query, m.rewritten_query, ${opensThread} as opens_thread, m.covered, m.stopped_by, f.vote,
      f.comment, m.created_at
    from ${withRatings(inRange)} ${isGap}
    order by m.created_at desc, m.id limit ${of.most}`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { SimulationReport } from '@citewell/contract/simulation-report'
import { threadIdOf } from '../../../kernel/mail-threads.ts'
import type { SimulationsDb } from '../simulations-store.ts'
import type { ReportTicket } from './report-ticket.ts'

/** Sources whose documents are made from conversations: one of them may be a ticket of the simulation itself. */
const OF_CONVERSATIONS = [
  'discourse',
  'github',
  'gitlab',
  'jira',
  'mail_archive',
  'mailbox',
  'push',
  'slack_channels',
]

const BEGINNING = 160

/** What the report reads of the tickets. The same ticket in two simulations has the same text, subject and reference. */
export async function readReportTickets(
  db: SimulationsDb,
  { knowledgeBaseId, id }: { knowledgeBaseId: string; id: string },
): Promise<ReportTicket[]> {
  const { rows } = await sql<ReportTicket>`
    select ordinal as number, ref, subject, left(body, ${BEGINNING}) as beginning, char_length(body) as characters,
      asked_at, tags, language, outcome, confidence, like_agent, review, own_documents,
      md5(coalesce(ref, '') || chr(1) || coalesce(subject, '') || chr(1) || body) as same
    from simulation_tickets where knowledge_base_id = ${knowledgeBaseId} and simulation_id = ${id}
    order by ordinal`.execute(db)
  return rows
}

/**
 * Documents of the base that were made from a ticket: those of a conversation whose id is the reference of the ticket, or ends with it after
 * a sign that is no letter or digit (`issue/1042`). A conversation of mails is known by the hash of its first message's id, an issue of Jira
 * also by its key, with which its address ends. Of pushed documents the id must be the same.
 */
export async function findOwnDocuments(
  db: SimulationsDb,
  knowledgeBaseId: string,
  ref: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from documents d
    join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id
    where d.knowledge_base_id = ${knowledgeBaseId} and s.type in (${sql.join(OF_CONVERSATIONS)})
      and (d.external_id = ${ref}
        or (s.type in ('mail_archive', 'mailbox') and d.external_id = ${threadIdOf(ref)})
        or (s.type = 'jira' and right(d.url, char_length(${ref}::text) + 1) = '/' || ${ref}::text)
        or (s.type not in ('push', 'mail_archive', 'mailbox') and right(d.external_id, char_length(${ref}::text)) = ${ref}
          and left(right(d.external_id, char_length(${ref}::text) + 1), 1) !~ '[[:alnum:]]'))
    limit 50`.execute(db)
  return rows.map(({ id }) => id)
}

/** The base as it is now: how many documents it has, and where they are from. */
export async function readBaseState(
  db: SimulationsDb,
  knowledgeBaseId: string,
): Promise<Pick<NonNullable<SimulationReport['base']>, 'documents' | 'sources'>> {
  const { rows } = await sql<{ name: string; type: string; documents: number }>`
    select s.name, s.type, count(d.id)::int as documents from sources s
    left join documents d on d.knowledge_base_id = s.knowledge_base_id and d.source_id = s.id
    where s.knowledge_base_id = ${knowledgeBaseId}
    group by s.id, s.name, s.type order by documents desc, s.name limit 100`.execute(db)
  return { documents: rows.reduce((sum, { documents }) => sum + documents, 0), sources: rows }
}

/** Milliseconds of an answer lately; undefined if none was given. */
export async function readAnswerTime(
  db: SimulationsDb,
  knowledgeBaseId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select percentile_cont(.5) within group (order by total_ms) as ms from (
      select total_ms from messages where knowledge_base_id = ${knowledgeBaseId} and total_ms is not null
      order by created_at desc limit 50
    ) latest`.execute(db)
  return rows[0]?.ms ?? undefined
}

/** What was not answered, in the order of the tickets. */
export async function readUnanswered(
  db: SimulationsDb,
  { knowledgeBaseId, id }: { knowledgeBaseId: string; id: string },
  most: number,
): Promise<{ ref: string | null; text: string }[]> {
  const { rows } = await sql<{ ref: string | null; text: string }>`
    select ref, case when starts_with(lower(body), lower(coalesce(subject, ''))) then '' else subject || ': ' end || left(body, 500) as text from simulation_tickets
    where knowledge_base_id = ${knowledgeBaseId} and simulation_id = ${id} and outcome = 'low_confidence'
    order by ordinal limit ${most}`.execute(db)
  return rows
}

import { narrowToSourcesMigration } from './0022-narrow-to-sources.ts'

/**
 * The readable text of a passage, its parts and addresses, is computed when it is indexed, in its own thread: JSON as written by
 * `content/reading/`. Older passages have none until they are indexed again; they are computed at each question and truncated here,
 * since one oversized row could make a passage of megabytes.
 */
const COLUMN = `alter table chunks add column reading text`

/** Characters of a title, a passage and its words that are read. Passages indexed from here on are shorter. */
const MOST = { title: 1_000, text: 8_000, terms: 60_000 }

const READ_CANDIDATES = narrowToSourcesMigration.withBm25.find((statement) =>
  statement.startsWith('create or replace function read_candidates('),
)

/** A function must be created again to get another result column. */
function withReading(statement: string | undefined): string[] {
  if (statement === undefined) throw new Error('0022 has no function read_candidates')
  const changed = statement
    .replace('create or replace function', 'create function')
    .replace('similarity double precision', 'similarity double precision, reading text')
    .replace('d.title, d.url', `left(d.title, ${MOST.title}), d.url`)
    .replace('c.text, c.terms', `left(c.text, ${MOST.text}), left(c.terms, ${MOST.terms})`)
    .replace('1 - (v.embedding <=> $5)', '1 - (v.embedding <=> $5), c.reading')
  return [
    'drop function read_candidates(uuid, uuid[], uuid[], vector, text, boolean, uuid[], integer, integer)',
    changed,
  ]
}

export const passageReadingsMigration: readonly string[] = [COLUMN, ...withReading(READ_CANDIDATES)]

import { narrowToSourcesMigration } from './0022-narrow-to-sources.ts'

/**
 * What a passage says to a reader, its parts and addresses, is found when it is indexed, in a thread of its own: JSON as
 * `content/reading/` writes it. Passages of before have none until they are indexed anew; they are read at each question, cut
 * here, since one over-long row could make a passage of megabytes.
 */
const COLUMN = `alter table chunks add column reading text`

/** Characters of a title, a passage and its words that are read. What is indexed from here on is shorter. */
const MOST = { title: 1_000, text: 8_000, terms: 60_000 }

const READ_CANDIDATES = narrowToSourcesMigration.withBm25.find((statement) =>
  statement.startsWith('create or replace function read_candidates('),
)

/** A function whose result gets a column more has to be made anew. */
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

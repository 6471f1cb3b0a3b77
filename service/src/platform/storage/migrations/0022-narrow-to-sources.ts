import { searchFunctionsMigration } from './0004-search-functions.ts'
import { quickSearchMigration } from './0007-quick-search.ts'
import { readCandidatesMigration } from './0016-read-candidates.ts'

/**
 * A search may also be limited to single sources. Ids of groups and sources never collide, so that one list, still called
 * `only_groups`, may contain both: conditions written for groups in 0004, 0007 and 0016 match both from here on.
 */
const BY_GROUP = /s\.source_group_id = any \((\$3|only_groups)\)/g

const makesFunction = (statement: string) => /^create (?:or replace )?function /.test(statement)

/** The statement that created a function, with sources limiting it as groups do. */
function alsoBySource(statement: string): string {
  const changed = statement
    .replace(/^create (?:or replace )?function /, 'create or replace function ')
    .replaceAll(BY_GROUP, (condition, ids: string) => `(${condition} or s.id = any (${ids}))`)
  return changed
}

/** The current functions that read documents, each in its last version. */
const readers = (statements: readonly string[]) =>
  statements.filter((statement) => makesFunction(statement) && statement.search(BY_GROUP) >= 0)

/** Replacing a function drops its other settings, so they are set again. */
const settings = readCandidatesMigration.filter((statement) => !makesFunction(statement))

const narrowed = (statements: readonly string[]) => [...readers(statements).map(alsoBySource), ...settings]

/** Statements with the BM25 extension, and without. */
export const narrowToSourcesMigration = {
  withBm25: narrowed([...quickSearchMigration.withBm25, ...readCandidatesMigration]),
  withoutBm25: narrowed([
    ...searchFunctionsMigration.withoutBm25.filter((statement) =>
      statement.includes('search_chunks_by_terms'),
    ),
    ...quickSearchMigration.withoutBm25,
    ...readCandidatesMigration,
  ]),
} as const

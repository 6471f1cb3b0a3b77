import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { accountsMigration } from './0001-accounts.ts'
import { contentMigration } from './0002-content.ts'
import { answersMigration } from './0003-answers.ts'
import { searchFunctionsMigration } from './0004-search-functions.ts'
import { pageWordsMigration } from './0005-page-words.ts'
import { chunkPlacesMigration } from './0006-chunk-places.ts'
import { quickSearchMigration } from './0007-quick-search.ts'
import { peopleMigration } from './0008-people.ts'
import { lifeMigration } from './0009-life.ts'
import { gatesMigration } from './0010-gates.ts'
import { formDeflectorsMigration } from './0011-form-deflectors.ts'
import { privacyMigration } from './0012-privacy.ts'
import { hooksMigration } from './0013-hooks.ts'
import { analyticsMigration } from './0014-analytics.ts'
import { idempotencyMigration } from './0015-idempotency.ts'
import { readCandidatesMigration } from './0016-read-candidates.ts'
import { mcpMigration } from './0017-mcp.ts'
import { oauthMigration } from './0018-oauth.ts'
import { signInMigration } from './0019-sign-in.ts'
import { connectedToolsMigration } from './0020-connected-tools.ts'
import { captchaSecretMigration } from './0021-captcha-secret.ts'
import { narrowToSourcesMigration } from './0022-narrow-to-sources.ts'
import { passageReadingsMigration } from './0023-passage-readings.ts'
import { sourceCredentialsMigration } from './0025-source-credentials.ts'
import { storedBytesMigration } from './0027-stored-bytes.ts'
import { accountsAndAddressesMigration } from './0028-accounts-and-addresses.ts'
import { questionsMadeFromMigration } from './0029-questions-made-from.ts'
import { browsersOfSessionsMigration } from './0030-browsers-of-sessions.ts'
import { sourceProgressMigration } from './0031-source-progress.ts'
import { platformsMigration } from './0033-platforms.ts'
import { knowledgeGapsMigration } from './0035-knowledge-gaps.ts'
import { evaluationMigration } from './0036-evaluation.ts'
import { seenWidgetsMigration } from './0037-seen-widgets.ts'
import { suspendedWorkspacesMigration } from './0040-suspended-workspaces.ts'
import { helpDesksMigration } from './0043-help-desks.ts'
import { approvedActionsMigration } from './0044-approved-actions.ts'
import { heldSyncsMigration } from './0045-held-syncs.ts'
import { chatPlatformsMigration } from './0049-chat-platforms.ts'
import { readShortTextsMigration } from './0051-read-short-texts.ts'
import { searchEverythingMigration } from './0052-search-everything.ts'
import { changesOfSyncsMigration } from './0054-changes-of-syncs.ts'
import { usageBySurfaceMigration } from './0055-usage-by-surface.ts'
import { sourceConnectionsMigration } from './0056-source-connections.ts'
import { simulationReportsMigration } from './0059-simulation-reports.ts'
import { callsOfMcpServersMigration } from './0063-calls-of-mcp-servers.ts'
import { liveRepliesMigration } from './0067-live-replies.ts'
import { channelsOfEventsMigration } from './0068-channels-of-events.ts'
import { findCandidatesMigration } from './0077-find-candidates.ts'
import { searchFewDocumentsMigration } from './0078-search-few-documents.ts'
import { restartedSyncsMigration } from './0079-restarted-syncs.ts'
import { sealedApprovalsMigration } from './0080-sealed-approvals.ts'
import { notesOfOldSyncsMigration } from './0081-notes-of-old-syncs.ts'
import { leftOutOfDocumentsMigration } from './0086-left-out-of-documents.ts'
import { foundLanguagesMigration } from './0087-found-languages.ts'
import { namesOfInvitedMigration } from './0088-names-of-invited.ts'

const statements = (texts: readonly string[]): Migration => ({
  up: async (db) => {
    for (const text of texts) await sql.raw(text).execute(db)
  },
})

/** All migrations, in one order for all rooms. A landed one is never changed: add another. */
export const migrations = (lexical: Lexical): Record<string, Migration> => ({
  '0001-accounts': statements(accountsMigration),
  '0002-content': statements(contentMigration),
  '0003-answers': statements(answersMigration),
  '0004-search-functions': statements(
    lexical === 'bm25' ? searchFunctionsMigration.withBm25 : searchFunctionsMigration.withoutBm25,
  ),
  '0005-page-words': statements(
    lexical === 'bm25' ? pageWordsMigration.withBm25 : pageWordsMigration.withoutBm25,
  ),
  '0006-chunk-places': statements(chunkPlacesMigration),
  '0007-quick-search': statements(
    lexical === 'bm25' ? quickSearchMigration.withBm25 : quickSearchMigration.withoutBm25,
  ),
  '0008-people': statements(peopleMigration),
  '0009-life': statements(lifeMigration),
  '0010-gates': statements(gatesMigration),
  '0011-form-deflectors': statements(formDeflectorsMigration),
  '0012-privacy': statements(privacyMigration),
  '0013-hooks': statements(hooksMigration),
  '0014-analytics': statements(analyticsMigration),
  '0015-idempotency': statements(idempotencyMigration),
  '0016-read-candidates': statements(readCandidatesMigration),
  '0017-mcp': statements(mcpMigration),
  '0018-oauth': statements(oauthMigration),
  '0019-sign-in': statements(signInMigration),
  '0020-connected-tools': statements(connectedToolsMigration),
  '0021-captcha-secret': statements(captchaSecretMigration),
  '0022-narrow-to-sources': statements(
    lexical === 'bm25' ? narrowToSourcesMigration.withBm25 : narrowToSourcesMigration.withoutBm25,
  ),
  '0023-passage-readings': statements(passageReadingsMigration),
  '0025-source-credentials': statements(sourceCredentialsMigration),
  '0027-stored-bytes': statements(storedBytesMigration),
  '0028-accounts-and-addresses': statements(accountsAndAddressesMigration),
  '0029-questions-made-from': statements(questionsMadeFromMigration),
  '0030-browsers-of-sessions': statements(browsersOfSessionsMigration),
  '0031-source-progress': statements(sourceProgressMigration),
  '0033-platforms': statements(platformsMigration),
  '0035-knowledge-gaps': statements(knowledgeGapsMigration),
  '0036-evaluation': statements(evaluationMigration),
  '0037-seen-widgets': statements(seenWidgetsMigration),
  '0040-suspended-workspaces': statements(suspendedWorkspacesMigration),
  '0043-help-desks': statements(helpDesksMigration),
  '0044-approved-actions': statements(approvedActionsMigration),
  '0045-held-syncs': statements(heldSyncsMigration),
  '0049-chat-platforms': statements(chatPlatformsMigration),
  '0051-read-short-texts': statements(readShortTextsMigration),
  '0052-search-everything': statements(
    lexical === 'bm25' ? searchEverythingMigration.withBm25 : searchEverythingMigration.withoutBm25,
  ),
  '0054-changes-of-syncs': statements(changesOfSyncsMigration),
  '0055-usage-by-surface': statements(usageBySurfaceMigration),
  '0056-source-connections': statements(sourceConnectionsMigration),
  '0059-simulation-reports': statements(simulationReportsMigration),
  '0063-calls-of-mcp-servers': statements(callsOfMcpServersMigration),
  '0067-live-replies': statements(liveRepliesMigration),
  '0068-channels-of-events': statements(channelsOfEventsMigration),
  '0077-find-candidates': statements(findCandidatesMigration),
  '0078-search-few-documents': statements(
    lexical === 'bm25' ? searchFewDocumentsMigration.withBm25 : searchFewDocumentsMigration.withoutBm25,
  ),
  '0079-restarted-syncs': statements(restartedSyncsMigration),
  '0080-sealed-approvals': statements(sealedApprovalsMigration),
  '0081-notes-of-old-syncs': statements(notesOfOldSyncsMigration),
  '0086-left-out-of-documents': statements(leftOutOfDocumentsMigration),
  '0087-found-languages': statements(foundLanguagesMigration),
  '0088-names-of-invited': statements(namesOfInvitedMigration),
})

/** How words are searched: by the BM25 extension, or by PostgreSQL's full-text search if it is missing. */
export type Lexical = 'bm25' | 'full-text'

/**
 * Upgrades the schema to this version, once, even if several processes start at the same time. A database that is newer than this
 * program is refused and not changed.
 */
export async function migrate(db: Kysely<unknown>, lexical: Lexical): Promise<void> {
  const known = migrations(lexical)
  const applied = await appliedNames(db)
  const newer = applied.filter((name) => !(name in known))
  if (newer.length > 0) {
    throw new Error(
      `The storage was written by a newer Citewell (it has ${newer.join(', ')}). Start that version, or restore a backup made before the upgrade.`,
    )
  }
  // The usual start: the migrator would read the whole catalogue first, which takes 250 ms on the embedded engine.
  if (Object.keys(known).every((name) => applied.includes(name))) return
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function appliedNames(db: Kysely<unknown>): Promise<string[]> {
  const table = await sql<{
    found: string | null
  }>`select to_regclass('kysely_migration')::text as found`.execute(db)
  if ((table.rows[0]?.found ?? null) === null) return []
  const rows = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.rows.map((row) => row.name)
}

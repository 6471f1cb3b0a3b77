import type { Job } from '../../platform/jobs/jobs.ts'
import type { StoredFiles } from '../../platform/files/stored-files.ts'
import type { UploadedFile } from '../connectors/connectors.ts'
import { findKnownHashes, listSourceFiles, type SourceFilesDb } from './source-files-store.ts'
import { type SourcesDb } from './sources-store.ts'
import { findBaseOf } from '../../platform/storage/base-records.ts'

/**
 * Files without a record are orphans only after this time: an upload stores its bytes first and records them up to 10 minutes later. Not
 * longer, because deleted files should free their space.
 */
const ORPHANED_AFTER_MS = 30 * 60 * 1_000

/** The files uploaded to a source, as its connector reads them. */
export async function listUploadedFiles(
  { db, files }: { db: SourcesDb; files: StoredFiles },
  sourceId: string,
): Promise<UploadedFile[]> {
  const knowledgeBaseId = await findBaseOf(db, 'sources', sourceId)
  if (knowledgeBaseId === undefined) return []
  const rows = await listSourceFiles(db, knowledgeBaseId, sourceId)
  return rows.map((row) => ({
    externalId: row.name,
    name: row.name,
    mediaType: row.media_type,
    hash: row.sha256,
    modifiedAt: row.updated_at,
    bytes: () => files.read(row.sha256),
  }))
}

/** Every 15 minutes: deletes stored bytes that no source has any more. */
export function sweepFilesJob(deps: { db: SourceFilesDb; files: StoredFiles; now: () => Date }): Job {
  return {
    name: 'sweep-files',
    schedule: '*/15 * * * *',
    handle: async () => {
      const before = new Date(deps.now().getTime() - ORPHANED_AFTER_MS)
      await deps.files.sweep(before, (hashes) => findKnownHashes(deps.db, hashes))
    },
  }
}

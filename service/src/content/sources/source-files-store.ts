import type { Selectable } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'
import type { SourceFilesTable } from './sources-tables.ts'

export type SourceFilesDb = Db<'source_files' | 'sources'>

/** Including the tables that tell how much a workspace stores. */
export type UploadsDb = Db<
  'source_files' | 'sources' | 'workspaces' | 'knowledge_bases' | 'workspace_storage'
>

export type SourceFileRow = Selectable<SourceFilesTable>

export interface NewSourceFile {
  id: string
  name: string
  mediaType: string
  byteLength: number
  sha256: string
}

/** Records uploaded files; one with a known name replaces the earlier one and keeps its id. */
export async function saveSourceFiles(
  db: UploadsDb,
  of: { knowledgeBaseId: string; sourceId: string; now: Date },
  files: readonly NewSourceFile[],
  alsoInTransaction: (transaction: UploadsDb) => Promise<void>,
): Promise<SourceFileRow[]> {
  return await db.transaction().execute(async (transaction) => {
    const saved: SourceFileRow[] = []
    for (const file of files) {
      const content = {
        media_type: file.mediaType,
        byte_length: file.byteLength,
        sha256: file.sha256,
        updated_at: of.now,
      }
      const row = await transaction
        .insertInto('source_files')
        .values({
          ...content,
          knowledge_base_id: of.knowledgeBaseId,
          id: file.id,
          source_id: of.sourceId,
          name: file.name,
          created_at: of.now,
        })
        .onConflict((conflict) =>
          conflict.columns(['knowledge_base_id', 'source_id', 'name']).doUpdateSet(content),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      saved.push(row)
    }
    await alsoInTransaction(transaction)
    return saved
  })
}

export async function listSourceFiles(
  db: SourceFilesDb,
  knowledgeBaseId: string,
  sourceId: string,
): Promise<SourceFileRow[]> {
  return await db
    .selectFrom('source_files')
    .selectAll()
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('source_id', '=', sourceId)
    .orderBy('name')
    .execute()
}

/** Which of these hashes any source of any base still has: identical bytes are stored once for all of them. */
export async function findKnownHashes(db: SourceFilesDb, sha256: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('source_files')
    .select('sha256')
    .distinct()
    .where('sha256', 'in', sha256)
    .execute()
  return new Set(rows.map((row) => row.sha256))
}

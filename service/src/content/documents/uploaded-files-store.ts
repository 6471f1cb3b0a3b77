import type { Db } from '../../platform/storage/tables.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type UploadedFilesDb = Db<'source_files' | 'documents'>

/** Uploaded files, each with the document that readers find of it. */
const selectFiles = (db: UploadedFilesDb, knowledgeBaseId: string) =>
  db
    .selectFrom('source_files')
    .leftJoin('documents', (join) =>
      join
        .onRef('documents.knowledge_base_id', '=', 'source_files.knowledge_base_id')
        .onRef('documents.source_id', '=', 'source_files.source_id')
        .onRef('documents.external_id', '=', 'source_files.name')
        .on('documents.live_version', 'is not', null),
    )
    .selectAll('source_files')
    .select('documents.id as document_id')
    .where('source_files.knowledge_base_id', '=', knowledgeBaseId)

export type UploadedFileRow = NonNullable<Awaited<ReturnType<typeof findUploadedFileById>>>

/** The newest first. */
export async function listUploadedFiles(
  db: UploadedFilesDb,
  of: { knowledgeBaseId: string; sourceId: string } & PageRequest,
): Promise<UploadedFileRow[]> {
  return await selectFiles(db, of.knowledgeBaseId)
    .where('source_files.source_id', '=', of.sourceId)
    .$if(of.after !== undefined, (query) => query.where('source_files.id', '<', of.after ?? ''))
    .orderBy('source_files.id', 'desc')
    .limit(of.limit)
    .execute()
}

export async function findUploadedFileById(db: UploadedFilesDb, knowledgeBaseId: string, fileId: string) {
  return await selectFiles(db, knowledgeBaseId).where('source_files.id', '=', fileId).executeTakeFirst()
}

/** Deletes an uploaded file by its name, so that the next sync does not bring its document back. */
export async function deleteUploadedFile(
  db: UploadedFilesDb,
  of: { knowledgeBaseId: string; sourceId: string; name: string },
): Promise<void> {
  await db
    .deleteFrom('source_files')
    .where('knowledge_base_id', '=', of.knowledgeBaseId)
    .where('source_id', '=', of.sourceId)
    .where('name', '=', of.name)
    .execute()
}

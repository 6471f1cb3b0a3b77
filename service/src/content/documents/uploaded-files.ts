import type { KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Indexing } from '../indexing/indexing.ts'
import {
  deleteUploadedFile,
  findUploadedFileById,
  listUploadedFiles,
  type UploadedFileRow,
} from './uploaded-files-store.ts'

export interface UploadedFilesDeps {
  db: Db<'source_files' | 'documents' | 'sources'>
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  indexing: Pick<Indexing, 'removeDocuments'>
}

/** The files that were uploaded to a source. One that cannot be read has no document, and is found and deleted here alone. */
export function createUploadedFiles({ db, knowledgeBases, indexing }: UploadedFilesDeps) {
  const ofSource = createRecordBases({ db, knowledgeBases, table: 'sources', noun: 'source' })
  const ofFile = createRecordBases({ db, knowledgeBases, table: 'source_files', noun: 'file' })

  async function list(caller: Caller, sourceId: string, page: PageRequest): Promise<UploadedFileRow[]> {
    const base = await ofSource.open(caller, sourceId, 'config')
    return await listUploadedFiles(db, { knowledgeBaseId: base.id, sourceId, ...page })
  }

  /** Deletes a file, and its document. A sync that has listed it before finds it gone at its end. */
  async function remove(caller: Caller, fileId: string): Promise<void> {
    const base = await ofFile.openActive(caller, fileId, 'config')
    const file = await findUploadedFileById(db, base.id, fileId)
    if (file === undefined) throw ofFile.notFound()
    await deleteUploadedFile(db, { knowledgeBaseId: base.id, sourceId: file.source_id, name: file.name })
    if (file.document_id !== null) await indexing.removeDocuments(base.id, [file.document_id])
  }

  return { list, remove }
}

export type UploadedFiles = ReturnType<typeof createUploadedFiles>

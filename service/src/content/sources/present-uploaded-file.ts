import type { UploadedFile } from '@citewell/contract/uploaded-files'
import type { SourceFileRow } from './source-files-store.ts'

export function presentUploadedFile(row: SourceFileRow): UploadedFile {
  return {
    id: row.id,
    source_id: row.source_id,
    name: row.name,
    media_type: row.media_type,
    byte_length: row.byte_length,
    sha256: row.sha256,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

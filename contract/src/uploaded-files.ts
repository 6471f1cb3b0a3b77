import { z } from 'zod'
import { declareEndpoints, CALLED_BY, DELETE, GET, POST } from './endpoint.ts'
import { idOf, recordFields, wholeNumber } from './fields.ts'
import { BODY_BYTES } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OfSource, OneRecord } from './params.ts'
import { SyncSummary } from './syncs.ts'

/** A multipart form: each part named `file` is one file, with its own name. */
export const UploadFiles = z
  .strictObject({
    file: z.array(z.file()).min(1).max(100).describe('The files, each as a part with this name.'),
  })
  .meta({ id: 'UploadFiles' })

export const UploadedFile = z
  .object({
    ...recordFields,
    source_id: idOf('source'),
    name: z.string().meta({ examples: ['handbook.pdf'] }),
    media_type: z.string().meta({ examples: ['application/pdf'] }),
    byte_length: wholeNumber(183_204),
    sha256: z
      .string()
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
  })
  .meta({ id: 'UploadedFile' })

export type UploadedFile = z.infer<typeof UploadedFile>

export const UploadedFiles = z
  .object({ files: z.array(UploadedFile), sync: SyncSummary })
  .meta({ id: 'UploadedFiles', description: 'The stored files, and the sync that indexes them.' })

export type UploadedFiles = z.infer<typeof UploadedFiles>

export const ListedFile = UploadedFile.extend({
  document_id: idOf('document')
    .nullable()
    .describe('The document that readers find of it; null if it was not read yet, or cannot be read.'),
}).meta({ id: 'ListedFile', description: 'An uploaded file, and what became of it.' })

export type ListedFile = z.infer<typeof ListedFile>

export const UPLOADED_FILE_ENDPOINTS = declareEndpoints({
  uploadFiles: {
    caller: 'access-token',
    room: 'content/sources',
    group: 'Documents',
    ...POST('/api/v1/sources/{id}/files'),
    summary: 'Upload files',
    description:
      'To a `files` source: PDF, DOCX, Markdown, reStructuredText, AsciiDoc, HTML, notebooks, text, slides (PPTX), or tables (CSV, TSV, XLSX), at most 100 MiB in total and 20 MiB of text per file. A file with a known name replaces the earlier one. They are indexed by the returned sync.',
    ...CALLED_BY.configurers,
    params: OfSource,
    body: UploadFiles,
    bodyIs: 'files',
    maxBodyBytes: BODY_BYTES.files,
    answer: { status: 201, body: UploadedFiles },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT', 'PLAN_REQUIRED'],
  },
  listUploadedFiles: {
    caller: 'access-token',
    room: 'content/documents',
    group: 'Documents',
    ...GET('/api/v1/sources/{id}/files'),
    summary: 'List uploaded files',
    description: 'Those of a `files` source, the newest first. A file that was replaced keeps its place.',
    ...CALLED_BY.configurers,
    params: OfSource,
    query: PageQuery,
    answer: { status: 200, body: pageOf(ListedFile, 'ListedFilePage') },
  },
  deleteUploadedFile: {
    caller: 'access-token',
    room: 'content/documents',
    group: 'Documents',
    ...DELETE('/api/v1/files/{id}'),
    summary: 'Delete an uploaded file',
    description: 'With its document, if it has one.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 204 },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
})

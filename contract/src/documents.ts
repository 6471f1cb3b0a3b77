import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { Id, idOf, normalAddress, PageUrl, recordFields, Timestamp } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

export const Visibility = z.enum(['public', 'restricted']).meta({
  description: 'Restricted documents are never used by the public API or the widget.',
})

export const HeadingPath = z
  .array(z.string())
  .meta({ description: 'The headings above the passage, outermost first.', examples: [['Keys', 'Rotation']] })

/** A document without its passages, for lists. */
export const DocumentSummary = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    source_id: idOf('source'),
    source_group_id: idOf('source group')
      .nullable()
      .meta({ examples: [null] }),
    title: z.string().meta({ examples: ['Rotating keys'] }),
    url: PageUrl.meta({
      description:
        'The address of the page. A document without its own address (an uploaded file, a local folder) has a page of this service.',
    }),
    visibility: Visibility,
    version_label: z
      .string()
      .nullable()
      .meta({ examples: ['v2'] }),
    indexed_at: Timestamp.nullable(),
    source_modified_at: Timestamp.nullable().meta({
      description: 'Time of the last change according to the source.',
    }),
    chunk_count: z
      .int()
      .min(0)
      .meta({ description: 'Number of its passages.', examples: [7] }),
  })
  .meta({ id: 'DocumentSummary', description: 'One page that answers can use.' })

export type DocumentSummary = z.infer<typeof DocumentSummary>

export const Chunk = z
  .object({
    id: Id,
    heading_path: HeadingPath,
    anchor: z
      .string()
      .nullable()
      .meta({ description: 'Fragment id of its section.', examples: ['rotation'] }),
    text: z.string().meta({ examples: ['Keys are rotated every day at midnight, UTC.'] }),
  })
  .meta({ id: 'Chunk', description: 'One passage of a document, as it is searched.' })

export type Chunk = z.infer<typeof Chunk>

export const Withheld = z.boolean().meta({
  description:
    'Whether its text is withheld: restricted documents are only shown to callers who may ask the base.',
  examples: [false],
})

export const Document = DocumentSummary.extend({ chunks: z.array(Chunk), withheld: Withheld }).meta({
  id: 'Document',
  description: 'One page that answers can use, with its passages.',
})

export type Document = z.infer<typeof Document>

export const DocumentChange = z
  .strictObject({ visibility: Visibility })
  .partial()
  .meta({ id: 'DocumentChange', examples: [{ visibility: 'restricted' }] })

export const DocumentQuery = PageQuery.extend({
  source_id: idOf('source').optional(),
  visibility: Visibility.optional(),
  url: z.string().max(2_048).overwrite(normalAddress).optional().meta({
    description:
      'Only the document at exactly this address, as given in records and citations, or at this path within its source.',
  }),
})

const documents = recordEndpoints({
  room: 'content/documents',
  group: 'Documents',
  path: 'documents',
  record: Document,
  page: pageOf(DocumentSummary, 'DocumentPage'),
})

export const DOCUMENT_ENDPOINTS = declareEndpoints({
  listDocuments: { ...documents.list({ summary: 'List the documents' }), query: DocumentQuery },
  getDocument: documents.get({ summary: 'Read a document with its passages' }),
  updateDocument: documents.change({
    summary: 'Make a document public or restricted',
    description:
      'Takes effect from the next question. Documents of an internal knowledge base are always restricted.',
    body: DocumentChange,
    refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
  }),
  deleteDocument: documents.remove({
    summary: 'Delete a document',
    description:
      'For a `files` source also the uploaded file. A page of a website returns with the next sync, unless the source excludes it.',
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  }),
})

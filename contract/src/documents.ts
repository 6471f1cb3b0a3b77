import { z } from 'zod'
import { declareEndpoints, CALLED_BY, GET, PATCH } from './endpoint.ts'
import { LIMITS } from './limits.ts'
import { InKnowledgeBase } from './params.ts'
import {
  Id,
  idOf,
  normalAddress,
  nullableText,
  PageUrl,
  recordFields,
  Timestamp,
  wholeNumber,
} from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { recordEndpoints } from './record-endpoints.ts'

export const Visibility = z
  .enum(['public', 'restricted'])
  .describe('Restricted documents are never used by the public API or the widget.')

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
    url: PageUrl.describe(
      'The address of the page. A document without its own address (an uploaded file, a local folder) has a page of this service.',
    ),
    visibility: Visibility,
    version_label: nullableText('v2'),
    indexed_at: Timestamp.nullable(),
    source_modified_at: Timestamp.nullable().describe('Time of the last change according to the source.'),
    chunk_count: wholeNumber(7).describe('Number of its passages.'),
    left_out: z.array(z.string()).meta({
      description:
        'What limits of this service left out of its text, a sentence for each limit, such as columns of a very wide table. Empty: nothing.',
      examples: [[]],
    }),
  })
  .meta({ id: 'DocumentSummary', description: 'One page that answers can use.' })

export type DocumentSummary = z.infer<typeof DocumentSummary>

export const Chunk = z
  .object({
    id: Id,
    heading_path: HeadingPath,
    anchor: nullableText('rotation').describe('Fragment id of its section.'),
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

/** Orders of a list of documents. A minus: the greatest first. */
export const DOCUMENT_SORTS = [
  'title',
  '-title',
  'indexed_at',
  '-indexed_at',
  'chunk_count',
  '-chunk_count',
] as const

/** Which documents: of a list, and of a count. */
const documentFilters = {
  source_id: idOf('source').optional(),
  visibility: Visibility.optional(),
  q: z
    .string()
    .trim()
    .max(LIMITS.documentText)
    .optional()
    .meta({ description: 'Only documents whose title or address contains this text.', examples: ['keys'] }),
  label: z
    .string()
    .max(LIMITS.versionLabel)
    .optional()
    .meta({ description: 'Only documents with exactly this version label.', examples: ['v2'] }),
}

export const DocumentCountQuery = z.object(documentFilters)

export const DocumentCounts = z
  .object({ total: wholeNumber(526), public: wholeNumber(520), restricted: wholeNumber(6) })
  .meta({ id: 'DocumentCounts', description: 'How many documents a filter finds.' })

export const DocumentsChange = z
  .strictObject({
    ids: z
      .array(Id)
      .min(1)
      .max(LIMITS.changedDocuments)
      .describe('Those that do not exist in the knowledge base any more are skipped.'),
    visibility: Visibility,
  })
  .meta({ id: 'DocumentsChange' })

export const ChangedDocuments = z
  .object({ changed: wholeNumber(2).describe('How many had another visibility before.') })
  .meta({ id: 'ChangedDocuments', description: 'The result of a change of several documents.' })

export const DocumentQuery = PageQuery.extend({
  ...documentFilters,
  sort: z
    .enum(DOCUMENT_SORTS)
    .optional()
    .meta({
      description:
        'The order; a minus in front reverses it. A cursor belongs to the order with which it was given out. Default: the oldest first.',
      examples: ['title'],
    }),
  url: z
    .string()
    .max(2_048)
    .overwrite(normalAddress)
    .optional()
    .describe(
      'Only the document at exactly this address, as given in records and citations, or at this path within its source.',
    ),
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
  countDocuments: {
    caller: 'access-token',
    room: 'content/documents',
    group: 'Documents',
    ...GET('/api/v1/knowledge-bases/{id}/document-counts'),
    summary: 'Count the documents',
    description: 'As many as the list with the same filters has, by visibility.',
    ...CALLED_BY.members,
    params: InKnowledgeBase,
    query: DocumentCountQuery,
    answer: { status: 200, body: DocumentCounts },
  },
  updateDocuments: {
    caller: 'access-token',
    room: 'content/documents',
    group: 'Documents',
    ...PATCH('/api/v1/knowledge-bases/{id}/documents'),
    summary: 'Make documents public or restricted',
    description:
      'Several at once, all or none. Takes effect from the next question. Documents of an internal knowledge base are always restricted.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    body: DocumentsChange,
    answer: { status: 200, body: ChangedDocuments },
    refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
  },
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

import { z } from 'zod'
import { Visibility } from './documents.ts'
import { declareEndpoints, CALLED_BY, DELETE, PUT } from './endpoint.ts'
import { HttpUrl, idOf, text } from './fields.ts'
import { BODY_BYTES, LIMITS } from './limits.ts'

const ExternalId = text(1, 500)
  // Clients remove these from the path of an address, also when they are escaped (WHATWG URL): it could not be deleted by its id.
  .refine((id) => id !== '.' && id !== '..', { error: 'must not be . or ..' })
  .meta({ description: 'Your own id for the document.', examples: ['faq-1'] })

export const PushedDocument = z
  .strictObject({
    external_id: ExternalId,
    title: text(1, 500).meta({ examples: ['How do I rotate a key?'] }),
    url: HttpUrl.meta({ description: 'Where citations link.', examples: ['https://example.com/faq#1'] }),
    markdown: z
      .string()
      .max(BODY_BYTES.pushedDocuments)
      .optional()
      .meta({ examples: ['Open **Settings**, then press *Rotate*.'] }),
    html: z.string().max(BODY_BYTES.pushedDocuments).optional(),
    visibility: Visibility.optional().describe('That of the source if omitted.'),
  })
  .refine((document) => (document.markdown === undefined) !== (document.html === undefined), {
    error: 'must have either markdown or html',
    path: ['markdown'],
  })
  .meta({ id: 'PushedDocument', description: 'One document, as `markdown` or as `html`.' })

export type PushedDocument = z.infer<typeof PushedDocument>

export const PushDocuments = z
  .strictObject({ documents: z.array(PushedDocument).min(1).max(LIMITS.pushedDocuments) })
  .meta({
    id: 'PushDocuments',
    examples: [
      {
        documents: [
          {
            external_id: 'faq-1',
            title: 'How do I rotate a key?',
            url: 'https://example.com/faq#1',
            markdown: 'Open **Settings**, then press *Rotate*.',
          },
        ],
      },
    ],
  })

export const PushedDocuments = z
  .object({
    documents: z.array(
      z.object({
        id: idOf('document'),
        external_id: ExternalId,
        outcome: z.enum(['added', 'changed', 'unchanged']),
      }),
    ),
  })
  .meta({
    id: 'PushedDocuments',
    description: 'The result for each document, in the order in which they were sent.',
  })

export type PushedDocuments = z.infer<typeof PushedDocuments>

const about = { caller: 'access-token', room: 'content/documents', group: 'Documents' } as const

export const PUSHED_DOCUMENT_ENDPOINTS = declareEndpoints({
  pushDocuments: {
    ...about,
    ...PUT('/api/v1/sources/{id}/documents'),
    summary: 'Send documents',
    description:
      'To a `push` source. A document with a known `external_id` is replaced. They can be found as soon as the call returns. At most 16 MiB.',
    ...CALLED_BY.configurers,
    params: z.object({ id: idOf('source') }),
    body: PushDocuments,
    maxBodyBytes: BODY_BYTES.pushedDocuments,
    answer: { status: 200, body: PushedDocuments },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT', 'PLAN_REQUIRED'],
  },
  deletePushedDocument: {
    ...about,
    ...DELETE('/api/v1/sources/{id}/documents/{external_id}'),
    summary: 'Delete a pushed document',
    ...CALLED_BY.configurers,
    params: z.object({ id: idOf('source'), external_id: ExternalId }),
    answer: { status: 204 },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
})

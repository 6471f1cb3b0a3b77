import { z } from 'zod'
import { ChatDeltaFrame, ChatFirstFrame, ChatLastFrame, Citation, GroupIds, User } from './chat.ts'
import { declareEndpoints } from './endpoint.ts'
import { StreamError } from './errors.ts'
import { Id, idOf, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery, pageOf } from './paging.ts'
import { InKnowledgeBase, OneRecord, PublicKnowledgeBase } from './params.ts'

const Name = text(1, LIMITS.name).meta({ examples: ['Contact form'] })
const Enabled = z
  .boolean()
  .meta({ description: 'When off, requests that carry its `form_id` are refused.', examples: [true] })
const MinCharacters = z
  .int()
  .min(0)
  .max(1_000)
  .meta({ description: 'A shorter text is not answered: `too_short`.', examples: [15] })
const MinConfidence = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'A less sure answer is held back: `low_confidence`.', examples: [0.5] })

/** What holds where a request names no form. */
export const FORM_DEFAULTS = { min_characters: 15, min_confidence: 0.5 } as const

export const FormDeflector = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    enabled: Enabled,
    min_characters: MinCharacters,
    min_confidence: MinConfidence,
  })
  .meta({
    id: 'FormDeflector',
    description: 'A support form that offers an answer before a ticket is sent.',
  })

export type FormDeflector = z.infer<typeof FormDeflector>

export const NewFormDeflector = z
  .strictObject({
    name: Name,
    enabled: Enabled.default(true),
    min_characters: MinCharacters.default(FORM_DEFAULTS.min_characters),
    min_confidence: MinConfidence.default(FORM_DEFAULTS.min_confidence),
  })
  .meta({ id: 'NewFormDeflector', examples: [{ name: 'Contact form' }] })

export type NewFormDeflector = z.infer<typeof NewFormDeflector>

export const FormDeflectorChange = z
  .strictObject({
    name: Name,
    enabled: Enabled,
    min_characters: MinCharacters,
    min_confidence: MinConfidence,
  })
  .partial()
  .meta({ id: 'FormDeflectorChange', examples: [{ enabled: false }] })

export type FormDeflectorChange = z.infer<typeof FormDeflectorChange>

/** `POST …/form-deflect`. Unknown fields are ignored. */
export const FormDeflectBody = z
  .object({
    subject: text(0, LIMITS.formSubject)
      .nullish()
      .meta({ examples: ['Keys'] }),
    body: text(0, LIMITS.formBody).meta({
      description: 'What was written into the form. Its first 4,000 characters are what is asked.',
      examples: ['How do I rotate an API key? The old one stopped working.'],
    }),
    form_id: Id.nullish().meta({ description: 'Take the settings of this form deflector.' }),
    user: User,
    group_ids: GroupIds,
  })
  .meta({
    id: 'FormDeflectBody',
    examples: [{ subject: 'Keys', body: 'How do I rotate an API key? The old one stopped working.' }],
  })

export type FormDeflectBody = z.infer<typeof FormDeflectBody>

const ofDeflection = {
  answered: z.boolean().meta({ description: 'Whether there is an answer to show.', examples: [true] }),
  skipped_reason: z
    .enum(['too_short', 'low_confidence'])
    .nullable()
    .meta({ description: 'Why there is none.', examples: [null] }),
  conversation_id: Id.optional().meta({
    description:
      'What the outcome is told of. Left out where nothing was kept: too short a text, zero data retention.',
  }),
}

export const FormDeflection = z
  .object({
    ...ofDeflection,
    answer: z
      .string()
      .nullable()
      .meta({ examples: ['Keys are rotated every day [1].'] }),
    citations: z.array(Citation),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .meta({ examples: [0.86] }),
    message_id: Id.optional().meta({ description: 'What is rated. Left out where nothing was kept.' }),
  })
  .meta({ id: 'FormDeflection', description: 'What is offered in place of a ticket.' })

export type FormDeflection = z.infer<typeof FormDeflection>

export const FormDeflectFrame = z
  .union([ChatFirstFrame, ChatDeltaFrame, ChatLastFrame.extend(ofDeflection), StreamError])
  .meta({
    id: 'FormDeflectFrame',
    description: 'The frames of the chat stream; the last one says whether the answer is to be shown.',
  })

export const FormOutcome = z
  .object({
    outcome: z.enum(['deflected', 'submitted']).meta({
      description: '`deflected`: the answer was enough. `submitted`: the ticket was sent all the same.',
      examples: ['deflected'],
    }),
  })
  .meta({ id: 'FormOutcome' })

const records = {
  caller: 'access-token',
  room: 'channels/form-deflectors',
  group: 'Form deflectors',
} as const
const asking = { caller: 'public-key', room: 'channels/form-deflectors', group: 'Ask and search' } as const

export const FORM_DEFLECTOR_ENDPOINTS = declareEndpoints({
  deflectForm: {
    ...asking,
    method: 'POST',
    path: '/api/v1/public/knowledge-bases/{knowledgeBaseId}/form-deflect',
    summary: 'Answer a support form',
    description:
      'Asks what was written into a support form, before it is sent. With `Accept: text/event-stream` the chat frames come instead of one body.',
    captcha: 'form_deflect',
    params: PublicKnowledgeBase,
    body: FormDeflectBody,
    answer: { status: 200, body: FormDeflection, events: FormDeflectFrame },
    refusals: ['GROUP_NOT_ALLOWED', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  },
  tellFormOutcome: {
    ...asking,
    method: 'POST',
    path: '/api/v1/public/knowledge-bases/{knowledgeBaseId}/form-deflect/{conversationId}/outcome',
    summary: 'Tell what became of a support form',
    description: 'Told again, the later outcome counts.',
    params: PublicKnowledgeBase.extend({ conversationId: idOf('conversation') }),
    body: FormOutcome,
    answer: { status: 204 },
  },
  listFormDeflectors: {
    ...records,
    method: 'GET',
    path: '/api/v1/knowledge-bases/{id}/form-deflectors',
    summary: 'List the form deflectors',
    scope: 'read',
    permission: 'member',
    params: InKnowledgeBase,
    query: PageQuery,
    answer: { status: 200, body: pageOf(FormDeflector, 'FormDeflectorPage') },
  },
  createFormDeflector: {
    ...records,
    method: 'POST',
    path: '/api/v1/knowledge-bases/{id}/form-deflectors',
    summary: 'Make a form deflector',
    scope: 'config',
    permission: 'config',
    params: InKnowledgeBase,
    body: NewFormDeflector,
    answer: { status: 201, body: FormDeflector },
    refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
  },
  getFormDeflector: {
    ...records,
    method: 'GET',
    path: '/api/v1/form-deflectors/{id}',
    summary: 'Read a form deflector',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, body: FormDeflector },
  },
  updateFormDeflector: {
    ...records,
    method: 'PATCH',
    path: '/api/v1/form-deflectors/{id}',
    summary: 'Change a form deflector',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: FormDeflectorChange,
    answer: { status: 200, body: FormDeflector },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  deleteFormDeflector: {
    ...records,
    method: 'DELETE',
    path: '/api/v1/form-deflectors/{id}',
    summary: 'Delete a form deflector',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 204 },
  },
})

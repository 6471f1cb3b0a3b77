import { z } from 'zod'
import { FORM_DEFAULTS } from './closed-lists.ts'
import { ChatDeltaFrame, ChatFirstFrame, ChatLastFrame, Citation, GroupIds, User } from './chat.ts'
import { declareEndpoints, POST } from './endpoint.ts'
import { StreamError } from './errors.ts'
import { fraction, Id, idOf, lineText, nullableText, recordFields, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { PublicKnowledgeBase } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['Contact form'] })
const Enabled = z
  .boolean()
  .meta({ description: 'If false, requests with its `form_id` are refused.', examples: [true] })
const MinCharacters = z
  .int()
  .min(0)
  .max(1_000)
  .meta({ description: 'Shorter texts are not answered: `too_short`.', examples: [15] })
const MinConfidence = fraction(0.5).describe('Answers with lower confidence are withheld: `low_confidence`.')

export const FormDeflector = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    enabled: Enabled,
    min_characters: MinCharacters,
    min_confidence: MinConfidence,
  })
  .meta({ id: 'FormDeflector', description: 'A support form that offers an answer before a ticket is sent.' })

export type FormDeflector = z.infer<typeof FormDeflector>

export const NewFormDeflector = z
  .strictObject({
    name: Name,
    enabled: Enabled.default(true),
    min_characters: MinCharacters.default(FORM_DEFAULTS.min_characters),
    min_confidence: MinConfidence.default(FORM_DEFAULTS.min_confidence),
  })
  .meta({ id: 'NewFormDeflector', examples: [{ name: 'Contact form' }] })

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
      description: 'The text of the form. Its first 4,000 characters are the question.',
      examples: ['How do I rotate an API key? The old one stopped working.'],
    }),
    form_id: Id.nullish().describe('Use the settings of this form deflector.'),
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
  conversation_id: Id.optional().describe(
    'The id for reporting the outcome. Omitted if nothing was stored: the text was too short, or zero data retention.',
  ),
}

export const FormDeflection = z
  .object({
    ...ofDeflection,
    answer: nullableText('Keys are rotated every day [1].'),
    citations: z.array(Citation),
    confidence: fraction(0.86),
    message_id: Id.optional().describe('Send it to rate the answer. Omitted if nothing was stored.'),
  })
  .meta({ id: 'FormDeflection', description: 'An answer offered in place of a ticket.' })

export type FormDeflection = z.infer<typeof FormDeflection>

export const FormDeflectFrame = z
  .union([ChatFirstFrame, ChatDeltaFrame, ChatLastFrame.extend(ofDeflection), StreamError])
  .meta({
    id: 'FormDeflectFrame',
    description: 'The frames of the chat stream; the last one states whether to show the answer.',
  })

export const FormOutcome = z
  .object({
    outcome: z.enum(['deflected', 'submitted']).meta({
      description: '`deflected`: the answer was enough. `submitted`: the ticket was sent nevertheless.',
      examples: ['deflected'],
    }),
  })
  .meta({ id: 'FormOutcome' })

const forms = recordEndpoints({
  room: 'channels/form-deflectors',
  group: 'Form deflectors',
  path: 'form-deflectors',
  record: FormDeflector,
  page: pageOf(FormDeflector, 'FormDeflectorPage'),
})

const asking = { caller: 'public-key', room: 'channels/form-deflectors', group: 'Ask and search' } as const

export const FORM_DEFLECTOR_ENDPOINTS = declareEndpoints({
  deflectForm: {
    ...asking,
    ...POST('/api/v1/public/knowledge-bases/{knowledgeBaseId}/form-deflect'),
    summary: 'Answer a support form',
    description:
      'Asks the text of a support form as a question before the form is sent. With `Accept: text/event-stream` the response is the chat frames instead of one body.',
    captcha: 'form_deflect',
    params: PublicKnowledgeBase,
    body: FormDeflectBody,
    answer: { status: 200, body: FormDeflection, events: FormDeflectFrame },
    refusals: ['GROUP_NOT_ALLOWED', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  },
  tellFormOutcome: {
    ...asking,
    ...POST('/api/v1/public/knowledge-bases/{knowledgeBaseId}/form-deflect/{conversationId}/outcome'),
    summary: 'Report the outcome of a support form',
    description: 'If it is reported again, the last outcome counts.',
    params: PublicKnowledgeBase.extend({ conversationId: idOf('conversation') }),
    body: FormOutcome,
    answer: { status: 204 },
  },
  listFormDeflectors: forms.list({ summary: 'List the form deflectors' }),
  createFormDeflector: forms.create({
    summary: 'Make a form deflector',
    body: NewFormDeflector,
    refusals: ['KNOWLEDGE_BASE_INTERNAL', 'KNOWLEDGE_BASE_ARCHIVED'],
  }),
  getFormDeflector: forms.get({ summary: 'Read a form deflector' }),
  updateFormDeflector: forms.change({ summary: 'Change a form deflector', body: FormDeflectorChange }),
  deleteFormDeflector: forms.remove({ summary: 'Delete a form deflector' }),
})

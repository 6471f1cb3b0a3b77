import { z } from 'zod'
import { Citation } from './chat.ts'
import { declareEndpoints } from './endpoint.ts'
import { CHAT_ESCALATION_REASONS, ESCALATION_REASONS } from './events.ts'
import { idOf, text } from './fields.ts'
import { integrationChange, integrationRecord, newIntegration } from './integrations.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { OneRecord } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'

/** Help desks that an integration can be connected to. For `other`, your own program hands in the tickets. */
export const HELPDESK_PLATFORMS = ['zendesk', 'intercom', 'freshdesk', 'helpscout', 'front', 'other'] as const

const Platform = z
  .enum(HELPDESK_PLATFORMS)
  .meta({ description: 'The help desk; fixed at creation.', examples: ['other'] })

const Handles = z.enum(['tickets', 'chats']).meta({
  description:
    'Tickets get one answer, and are handed to a person when the customer writes again. Chats get up to 5 answers. Fixed at creation.',
  examples: ['tickets'],
})

export const HelpdeskIntegration = z
  .object({ ...integrationRecord, platform: Platform, handles: Handles })
  .meta({ id: 'HelpdeskIntegration', description: 'Help-desk automation: answers tickets or chats.' })

export type HelpdeskIntegration = z.infer<typeof HelpdeskIntegration>

export const NewHelpdeskIntegration = z
  .strictObject({ ...newIntegration, platform: Platform, handles: Handles.default('tickets') })
  .meta({ id: 'NewHelpdeskIntegration', examples: [{ name: 'Support', platform: 'other' }] })

export type NewHelpdeskIntegration = z.infer<typeof NewHelpdeskIntegration>

export const HelpdeskIntegrationChange = z.strictObject(integrationChange).meta({
  id: 'HelpdeskIntegrationChange',
  description: '`config` is merged key by key.',
  examples: [{ enabled: false }],
})

export type HelpdeskIntegrationChange = z.infer<typeof HelpdeskIntegrationChange>

const TicketId = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'Id of the ticket or chat in the help desk.', examples: ['1042'] })

/** A message of a customer: a ticket, a message of a chat, or a later message on either. */
export const TicketMessage = z
  .strictObject({
    ticket_id: TicketId,
    subject: text(0, 500).optional(),
    body: text(1, LIMITS.ticketText).meta({ examples: ['How do I rotate my signing key?'] }),
    customer_asked_for_person: z
      .boolean()
      .default(false)
      .meta({ description: 'Chats: the customer asks for a person, and is handed to one.' }),
  })
  .meta({ id: 'TicketMessage' })

export type TicketMessage = z.infer<typeof TicketMessage>

export const TicketOutcome = z
  .object({
    ticket_id: TicketId,
    outcome: z.enum(['answered', 'unanswered', 'escalated']).meta({
      description:
        '`answered`: post the answer. `unanswered`: a ticket that the knowledge base does not cover; people handle it. `escalated`: hand it to a person.',
      examples: ['answered'],
    }),
    reason: z
      .enum(ESCALATION_REASONS)
      .nullable()
      .meta({
        description: `Why it was escalated: \`customer_replied\` on tickets; on chats ${CHAT_ESCALATION_REASONS.map((reason) => `\`${reason}\``).join(', ')}.`,
      }),
    answer: z.string().nullable(),
    citations: z.array(Citation),
    confidence: z.number().min(0).max(1).nullable(),
    answers_given: z
      .int()
      .min(0)
      .meta({ description: 'Number of answers that this ticket or chat has received.' }),
  })
  .meta({ id: 'TicketOutcome', description: 'How a message was handled.' })

export type TicketOutcome = z.infer<typeof TicketOutcome>

const about = {
  caller: 'access-token',
  room: 'channels/helpdesk-integrations',
  group: 'Help desks',
} as const

const integrations = recordEndpoints({
  room: 'channels/helpdesk-integrations',
  group: 'Help desks',
  path: 'helpdesk-integrations',
  record: HelpdeskIntegration,
  page: pageOf(HelpdeskIntegration, 'HelpdeskIntegrationPage'),
})

export const HELPDESK_INTEGRATION_ENDPOINTS = declareEndpoints({
  listHelpdeskIntegrations: integrations.list({ summary: 'List the help-desk integrations' }),
  createHelpdeskIntegration: integrations.create({
    summary: 'Add a help-desk integration',
    description: 'It answers customers from public documents, so an internal knowledge base cannot have one.',
    body: NewHelpdeskIntegration,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL'],
  }),
  getHelpdeskIntegration: integrations.get({ summary: 'Read a help-desk integration' }),
  updateHelpdeskIntegration: integrations.change({
    summary: 'Change a help-desk integration',
    body: HelpdeskIntegrationChange,
  }),
  deleteHelpdeskIntegration: integrations.remove({ summary: 'Delete a help-desk integration' }),
  takeTicketMessage: {
    ...about,
    method: 'POST',
    path: '/api/v1/helpdesk-integrations/{id}/tickets',
    summary: 'Hand in a message of a customer',
    description:
      'Answers a ticket or a message of a chat, or escalates it to a person, and returns which. Sends the event `ticket.deflected` or `ticket.escalated`.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    body: TicketMessage,
    answer: { status: 200, body: TicketOutcome },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL', 'CONFLICT', 'QUOTA_EXCEEDED'],
  },
})

export const IdOfIntegration = idOf('help-desk integration')

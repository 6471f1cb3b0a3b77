import { z } from 'zod'
import { Citation } from './chat.ts'
import { declareEndpoints, CALLED_BY, POST } from './endpoint.ts'
import { CHAT_ESCALATION_REASONS, ESCALATION_REASONS } from './closed-lists.ts'
import { text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { OneRecord } from './params.ts'

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
      .describe('Chats: the customer asks for a person, and is handed to one.'),
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
    answers_given: z.int().min(0).describe('Number of answers that this ticket or chat has received.'),
  })
  .meta({ id: 'TicketOutcome', description: 'How a message was handled.' })

export type TicketOutcome = z.infer<typeof TicketOutcome>

export const TICKET_ENDPOINTS = declareEndpoints({
  takeTicketMessage: {
    caller: 'access-token',
    room: 'channels/tickets',
    group: 'Help desks',
    ...POST('/api/v1/helpdesk-integrations/{id}/tickets'),
    summary: 'Hand in a message of a customer',
    description:
      'Answers a ticket or a message of a chat, or escalates it to a person, and returns which. Sends the event `ticket.deflected` or `ticket.escalated`.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    body: TicketMessage,
    recordedBy: 'nobody',
    answer: { status: 200, body: TicketOutcome },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL', 'CONFLICT', 'QUOTA_EXCEEDED'],
  },
})

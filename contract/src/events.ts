import { z } from 'zod'
import { DECISIONS, ESCALATION_REASONS, WEBHOOK_EVENTS } from './closed-lists.ts'
import { idOf, Timestamp } from './fields.ts'

export type EscalationReason = (typeof ESCALATION_REASONS)[number]

export type Decision = (typeof DECISIONS)[number]

const TicketId = z
  .string()
  .meta({ description: 'Id of the ticket or chat in the help desk.', examples: ['1042'] })

/** The contents of `data` for each webhook event. */
export const EVENT_DATA = {
  'conversation.completed': z
    .object({
      conversation_id: idOf('conversation'),
      message_id: idOf('message'),
      answer_excerpt: z.string().meta({
        description:
          'The beginning of the answer, masked as it is stored: 500 characters at most. Empty if it is based on restricted documents.',
        examples: ['Signing keys are rotated once a day [1].'],
      }),
    })
    .describe('A chat answer is finished.'),
  'deflection.completed': z
    .object({
      conversation_id: idOf('conversation'),
      confidence: z.number().min(0).max(1),
      deflected: z.boolean().describe('Whether the reader left without a ticket.'),
    })
    .describe('The support form deflector answered.'),
  'ticket.deflected': z
    .object({ integration_id: idOf('help-desk integration'), ticket_id: TicketId })
    .describe('Help-desk automation answered a ticket.'),
  'ticket.escalated': z
    .object({
      integration_id: idOf('help-desk integration'),
      ticket_id: TicketId,
      reason: z
        .enum(ESCALATION_REASONS)
        .describe('For tickets always `customer_replied`; for chats one of the others.'),
    })
    .describe('Help-desk automation handed a ticket or chat to a person.'),
  'simulation.completed': z
    .object({
      simulation_id: idOf('simulation'),
      integration_id: idOf('help-desk integration'),
      total: z.int().min(0).describe('Number of tickets in it.'),
      completed: z.int().min(0).describe('Number of tickets with an outcome.'),
    })
    .describe('A deflection simulation finished.'),
  'approval.resolved': z
    .object({ approval_id: idOf('approval'), agent_id: idOf('agent app'), decision: z.enum(DECISIONS) })
    .describe("Someone approved or rejected an agent's reply or action."),
} as const satisfies Record<(typeof WEBHOOK_EVENTS)[number], z.ZodType>

export type WebhookEventName = keyof typeof EVENT_DATA

export type WebhookEventData<Name extends WebhookEventName> = z.infer<(typeof EVENT_DATA)[Name]>

export const WebhookEvent = z
  .enum(WEBHOOK_EVENTS)
  .meta({ description: 'What happened.', examples: ['conversation.completed'] })

/** The body of a delivery; its fields are sent in this order. */
export const WebhookBody = z
  .object({
    event: WebhookEvent,
    knowledge_base_id: idOf('knowledge base'),
    data: z.union(Object.values(EVENT_DATA)).describe('The data of the event.'),
    timestamp: Timestamp.describe('When it happened.'),
  })
  .meta({ id: 'WebhookBody', description: 'The body of a request to a webhook address.' })

export type WebhookBody = z.infer<typeof WebhookBody>

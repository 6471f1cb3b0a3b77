import { z } from 'zod'
import { declareEndpoints, CALLED_BY, POST } from './endpoint.ts'
import { text, Timestamp, wholeNumber } from './fields.ts'
import { BODY_BYTES, LIMITS } from './limits.ts'
import { InKnowledgeBase } from './params.ts'

/** Why a past ticket is left out of a simulation. */
export const LEFT_OUT_REASONS = [
  'automatic',
  'spam',
  'empty',
  'attachment_only',
  'merged',
  'agent_made',
  'too_long',
] as const

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

export const TicketRef = z
  .string()
  .trim()
  .max(200)
  .nullable()
  .meta({ description: 'Your own id for the ticket.', examples: ['1042'] })

const fields = {
  subject: text(0, 500).nullable(),
  body: text(1, LIMITS.ticketText).describe('The first message of the customer.'),
  asked_at: Timestamp.nullable().describe('When the customer wrote it. The report counts by month.'),
  tags: z
    .array(text(1, 100))
    .max(20)
    .meta({ description: 'The report counts by tag.', examples: [['billing']] }),
  agent_reply: text(0, LIMITS.ticketText)
    .nullable()
    .describe('What an agent answered first. The answer is compared with it.'),
}

/** A ticket to try. */
export const NewPastTicket = z
  .strictObject({
    ref: TicketRef.default(null),
    subject: fields.subject.default(null),
    body: fields.body,
    asked_at: fields.asked_at.default(null),
    tags: fields.tags.default([]),
    agent_reply: fields.agent_reply.default(null),
  })
  .meta({ id: 'NewPastTicket' })

/** A ticket that was read from a file. */
export const PastTicket = z.object({ ref: TicketRef, ...fields }).meta({ id: 'PastTicket' })

export type PastTicket = z.infer<typeof PastTicket>

const leftOutFields = {
  reason: z.enum(LEFT_OUT_REASONS).meta({
    description:
      'automatic: a program wrote it. merged: into another ticket. agent_made: no customer wrote it. empty: nothing is left without quotations and signature.',
    examples: ['automatic'],
  }),
  count: z
    .int()
    .min(1)
    .max(1_000_000)
    .meta({ examples: [12] }),
  refs: z
    .array(z.string().max(200))
    .max(5)
    .meta({ description: 'Of the first five.', examples: [['1043']] }),
}

export const LeftOutTickets = z.object(leftOutFields).meta({
  id: 'LeftOutTickets',
  description: 'Tickets that were left out. They stay in the number of all tickets.',
})

export const NewLeftOutTickets = z.strictObject(leftOutFields).meta({ id: 'NewLeftOutTickets' })

export type LeftOutTickets = z.infer<typeof LeftOutTickets>

const sampleFields = {
  by: z.enum(['random', 'month_and_tag']).meta({
    description: 'month_and_tag: as many of each month and first tag as their share is.',
    examples: ['random'],
  }),
  seed: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .meta({ description: 'The same seed draws the same tickets of the same file.', examples: [1] }),
  drawn_from: z
    .int()
    .min(1)
    .max(1_000_000)
    .meta({ description: 'How many tickets the sample was drawn from.', examples: [12_000] }),
}

export const TicketSample = z.object(sampleFields).meta({ id: 'TicketSample' })

export const NewTicketSample = z.strictObject(sampleFields)

export type TicketSample = z.infer<typeof TicketSample>

export const TicketFile = z.strictObject({ file: z.file() }).meta({ id: 'TicketFile' })

export const TicketsOfFile = z
  .object({
    format: z.enum(['table', 'lines', 'json', 'zendesk', 'mbox']).meta({ examples: ['table'] }),
    found: wholeNumber(12_412).describe('Tickets in the file.'),
    tickets: z.array(PastTicket).max(LIMITS.simulationTickets),
    left_out: z.array(LeftOutTickets),
    sample: TicketSample.nullable().describe('Null: `tickets` are all that can be tried.'),
    estimate: z
      .object({
        questions: wholeNumber(2_000).describe('How many questions of the month it takes.'),
        questions_left: z
          .int()
          .nullable()
          .meta({ description: 'Of this month; null without a limit.', examples: [null] }),
        seconds: z
          .number()
          .nullable()
          .meta({
            description: 'How long it will take, as answers took lately; null if none were given.',
            examples: [240],
          }),
        embedding: z
          .object({ host: z.string() })
          .nullable()
          .meta({
            description:
              'Where the words of the tickets are sent to be compared; null: nowhere, the service does it itself.',
            examples: [null],
          }),
        model: z
          .object({ name: z.string(), host: z.string().nullable() })
          .nullable()
          .meta({
            description: 'The language model that the tickets are sent to; null: none.',
            examples: [null],
          }),
      })
      .meta({ id: 'SimulationEstimate' }),
  })
  .meta({ id: 'TicketsOfFile', description: 'What a simulation of a file would try. Nothing is stored.' })

export type TicketsOfFile = z.infer<typeof TicketsOfFile>

export const TICKET_FILE_ENDPOINTS = declareEndpoints({
  readTicketFile: {
    caller: 'access-token',
    recordedBy: 'nobody',
    room: 'channels/simulations',
    group: 'Simulations',
    ...POST('/api/v1/knowledge-bases/{id}/ticket-files'),
    summary: 'Read tickets from a file',
    description: `Reads past tickets for a simulation, and says what it would cost: a table (CSV) with a column \`body\`, and perhaps \`id\`, \`subject\`, \`created_at\`, \`tags\` and \`first_agent_reply\`; JSON with the same fields, as a list or one a line; an export of Zendesk; a mailbox (mbox); or a question a line. Quotations and signatures are taken away. Of more than ${LIMITS.simulationTickets.toLocaleString('en')} a sample is drawn. Nothing is stored: send \`tickets\`, \`left_out\` and \`sample\` with a new simulation.`,
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    query: z.object({
      most: z.coerce
        .number()
        .int()
        .min(1)
        .max(LIMITS.simulationTickets)
        .default(LIMITS.simulationTickets)
        .describe('How many tickets to try at most.'),
      by: z.enum(['random', 'month_and_tag']).default('random'),
      seed: z.coerce.number().int().min(0).max(2_147_483_647).default(1),
    }),
    body: TicketFile,
    bodyIs: 'files',
    maxBodyBytes: BODY_BYTES.ticketFile,
    answer: { status: 200, body: TicketsOfFile },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL'],
  },
})

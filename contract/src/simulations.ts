import { z } from 'zod'
import { Citation } from './chat.ts'
import { declareEndpoints, CALLED_BY, GET, POST, PUT } from './endpoint.ts'
import { idOf, lineText, nullableText, recordFields, Timestamp, wholeNumber } from './fields.ts'
import { IdOfIntegration } from './integrations.ts'
import { BODY_BYTES, LIMITS } from './limits.ts'
import { pageOf, PageQuery } from './paging.ts'
import { OneRecord } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'
import { SimulationReport } from './simulation-report.ts'
import {
  LeftOutTickets,
  NewLeftOutTickets,
  NewPastTicket,
  NewTicketSample,
  TicketRef,
  TicketSample,
} from './ticket-files.ts'

const count = wholeNumber()

const Name = lineText(1, LIMITS.name).meta({ examples: ['Tickets of March'] })

export const Simulation = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    integration_id: IdOfIntegration,
    name: Name,
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ examples: ['running'] }),
    total: count.describe('Number of tickets in it, without those that were left out.'),
    completed: count.describe('Number of tickets with an outcome.'),
    deflected: count.describe('Number of tickets that would have been answered.'),
    left_out: z.array(LeftOutTickets),
    sample: TicketSample.nullable().describe('Null: all tickets are tried.'),
    error: nullableText(),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({
    id: 'Simulation',
    description: 'A run of past tickets through the answering, to see how many would have been answered.',
  })

export type Simulation = z.infer<typeof Simulation>

export const TICKET_OUTCOMES = ['deflected', 'low_confidence', 'answer_failed'] as const

/** What a person thinks of the answer to a past ticket. */
export const TICKET_REVIEWS = ['right', 'partly', 'wrong'] as const
export type TicketReview = (typeof TICKET_REVIEWS)[number]

const Review = z.enum(TICKET_REVIEWS).meta({ examples: ['right'] })

export const SimulatedTicket = z
  .object({
    number: count.meta({ description: 'Its place in the simulation, from 0.', examples: [0] }),
    ref: TicketRef,
    subject: z.string().nullable(),
    body: z.string(),
    asked_at: Timestamp.nullable(),
    tags: z.array(z.string()).meta({ examples: [['billing']] }),
    language: nullableText('en').describe('Of the ticket, where it shows.'),
    agent_reply: z.string().nullable(),
    outcome: z.enum(TICKET_OUTCOMES).nullable().describe('Null until it was processed.'),
    confidence: z.number().min(0).max(1).nullable(),
    answer: z.string().nullable(),
    citations: z.array(Citation),
    like_agent: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description:
          "The share of the agent's sentences that the answer says too; null if there is nothing to compare.",
        examples: [0.5],
      }),
    review: Review.nullable(),
    own_documents: count.describe(
      'Documents that were made from this very ticket. They were left out of its answer.',
    ),
  })
  .meta({ id: 'SimulatedTicket', description: 'One ticket of a simulation with its outcome.' })

export type SimulatedTicket = z.infer<typeof SimulatedTicket>

export const NewSimulation = z
  .strictObject({
    integration_id: IdOfIntegration,
    name: Name.default('Simulation'),
    tickets: z
      .array(NewPastTicket)
      .min(1)
      .max(LIMITS.simulationTickets)
      .describe('Past tickets or questions.'),
    left_out: z
      .array(NewLeftOutTickets)
      .max(20)
      .default([])
      .describe('What was left out of the tickets: it stays in the number of all tickets.'),
    sample: NewTicketSample.nullable().default(null),
  })
  .meta({
    id: 'NewSimulation',
    examples: [
      {
        integration_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
        tickets: [{ body: 'How do I rotate my signing key?' }],
      },
    ],
  })

export type NewSimulation = z.infer<typeof NewSimulation>

const about = { caller: 'access-token', room: 'channels/simulations', group: 'Simulations' } as const
const simulations = recordEndpoints({
  ...about,
  path: 'simulations',
  record: Simulation,
  page: pageOf(Simulation, 'SimulationPage'),
})

export const SIMULATION_ENDPOINTS = declareEndpoints({
  listSimulations: simulations.list({ summary: 'List the simulations', description: 'Newest first.' }),
  createSimulation: {
    ...simulations.create({
      summary: 'Start a simulation',
      description:
        'Runs in the background. Its questions count towards the monthly quota. Not available under zero data retention: it would have to store its answers.',
      body: NewSimulation,
      refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL', 'CONFLICT'],
    }),
    maxBodyBytes: BODY_BYTES.simulation,
  },
  getSimulation: {
    ...simulations.get({
      summary: 'Read a simulation',
      description: `With its first ${LIMITS.ticketsWithSimulation} tickets; list its tickets for all of them.`,
    }),
    answer: {
      status: 200,
      body: Simulation.extend({ tickets: z.array(SimulatedTicket) }).meta({ id: 'SimulationWithTickets' }),
    },
  },
  listSimulatedTickets: {
    ...about,
    ...GET('/api/v1/simulations/{id}/tickets'),
    summary: 'List the tickets of a simulation',
    description:
      'In the order in which they were sent. `to_review`: tickets that would have been answered and nobody has reviewed, in an order by chance that stays the same, so that those that are reviewed stand for all.',
    ...CALLED_BY.members,
    params: OneRecord,
    query: PageQuery.extend({
      outcome: z.enum(TICKET_OUTCOMES).optional().describe('Only those with this outcome.'),
      to_review: z.enum(['true', 'false']).default('false'),
    }),
    answer: { status: 200, body: pageOf(SimulatedTicket, 'SimulatedTicketPage') },
  },
  reviewSimulatedTicket: {
    ...about,
    ...PUT('/api/v1/simulations/{id}/reviews'),
    summary: 'Say whether the answer to a ticket is right',
    description:
      'The report counts as solved what was right, and shows the interval that so many reviews allow. Null takes a review back.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    body: z
      .strictObject({
        number: z
          .int()
          .min(0)
          .max(LIMITS.simulationTickets)
          .meta({ description: 'Of the ticket.', examples: [0] }),
        review: Review.nullable(),
      })
      .meta({ id: 'NewTicketReview', examples: [{ number: 0, review: 'right' }] }),
    answer: { status: 200, body: SimulatedTicket },
    refusals: ['CONFLICT'],
  },
  getSimulationReport: {
    ...about,
    ...GET('/api/v1/simulations/{id}/report'),
    summary: 'Read the report of a simulation',
    description:
      'How many tickets would have been answered, with the interval that so many tickets allow; how many of the answers are right, as far as they were reviewed; by tag, month, language and length; and what was left out.',
    ...CALLED_BY.members,
    params: OneRecord,
    query: z.object({
      against: idOf('simulation')
        .optional()
        .describe('Another simulation of the same knowledge base: the same tickets are compared.'),
    }),
    answer: { status: 200, body: SimulationReport },
  },
  cancelSimulation: {
    ...about,
    ...POST('/api/v1/simulations/{id}/cancel'),
    summary: 'Cancel a simulation',
    description: 'Results so far are kept. A finished simulation is not changed.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 200, body: Simulation },
  },
  deleteSimulation: simulations.remove({ summary: 'Delete a simulation' }),
})

import { z } from 'zod'
import { Citation } from './chat.ts'
import { declareEndpoints } from './endpoint.ts'
import { idOf, recordFields, text, Timestamp } from './fields.ts'
import { IdOfIntegration } from './integrations.ts'
import { LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { OneRecord } from './params.ts'
import { recordEndpoints } from './record-endpoints.ts'

const count = z
  .int()
  .min(0)
  .meta({ examples: [0] })

const Name = text(1, LIMITS.name).meta({ examples: ['Tickets of March'] })

const TicketRef = z
  .string()
  .trim()
  .max(200)
  .nullable()
  .meta({ description: 'Your own id for the ticket.', examples: ['1042'] })

export const Simulation = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    integration_id: IdOfIntegration,
    name: Name,
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']).meta({ examples: ['running'] }),
    total: count.meta({ description: 'Number of tickets in it.' }),
    completed: count.meta({ description: 'Number of tickets with an outcome.' }),
    deflected: count.meta({ description: 'Number of tickets that would have been answered.' }),
    error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({
    id: 'Simulation',
    description: 'A run of past tickets through the answering, to see how many would have been answered.',
  })

export type Simulation = z.infer<typeof Simulation>

export const SimulatedTicket = z
  .object({
    ref: TicketRef,
    subject: z.string().nullable(),
    body: z.string(),
    outcome: z.enum(['deflected', 'low_confidence', 'answer_failed']).nullable().meta({
      description: 'Null until it was processed.',
    }),
    confidence: z.number().min(0).max(1).nullable(),
    answer: z.string().nullable(),
    citations: z.array(Citation),
  })
  .meta({ id: 'SimulatedTicket', description: 'One ticket of a simulation with its outcome.' })

export type SimulatedTicket = z.infer<typeof SimulatedTicket>

export const NewSimulation = z
  .strictObject({
    integration_id: IdOfIntegration,
    name: Name.default('Simulation'),
    tickets: z
      .array(
        z.strictObject({
          ref: TicketRef.default(null),
          subject: text(0, 500).nullable().default(null),
          body: text(1, LIMITS.ticketText),
        }),
      )
      .min(1)
      .max(LIMITS.simulationTickets)
      .meta({ description: 'Past tickets or questions.' }),
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
  createSimulation: simulations.create({
    summary: 'Start a simulation',
    description:
      'Runs in the background. Its questions count towards the monthly quota. Not available under zero data retention: it would have to store its answers.',
    body: NewSimulation,
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'KNOWLEDGE_BASE_INTERNAL', 'CONFLICT'],
  }),
  getSimulation: {
    ...simulations.get({ summary: 'Read a simulation' }),
    answer: {
      status: 200,
      body: Simulation.extend({ tickets: z.array(SimulatedTicket) }).meta({ id: 'SimulationWithTickets' }),
    },
  },
  cancelSimulation: {
    ...about,
    method: 'POST',
    path: '/api/v1/simulations/{id}/cancel',
    summary: 'Cancel a simulation',
    description: 'Results so far are kept. A finished simulation is not changed.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 200, body: Simulation },
  },
  deleteSimulation: simulations.remove({ summary: 'Delete a simulation' }),
})

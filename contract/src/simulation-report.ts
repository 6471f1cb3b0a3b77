import { z } from 'zod'
import { Timestamp, wholeNumber } from './fields.ts'
import { LeftOutTickets, TicketRef, TicketSample } from './ticket-files.ts'

const count = wholeNumber()

const part = z.number().min(0).max(1)

const Interval = z.object({ low: part.meta({ examples: [0.37] }), high: part.meta({ examples: [0.43] }) })

/** Fewer tickets than this get no rate: chance decides too much. */
export const FEWEST_FOR_RATE = 50

/** Reviews from which on the solved share is told. */
export const FEWEST_REVIEWS = 30

export const SimulatedRate = z
  .object({
    answered: count.meta({ description: 'How many would have been answered.', examples: [400] }),
    of: count.meta({ examples: [1_000] }),
    rate: part.nullable().meta({
      description: `Null below ${FEWEST_FOR_RATE} tickets: chance decides too much.`,
      examples: [0.4],
    }),
    interval: Interval.nullable().describe(
      'In 95 of 100 cases the rate of all such tickets is in it (Wilson).',
    ),
    again: Interval.nullable().describe(
      'In 95 of 100 cases the rate of as many other tickets of the same kind is in it.',
    ),
  })
  .meta({ id: 'SimulatedRate' })

export type SimulatedRate = z.infer<typeof SimulatedRate>

const Counted = z.object({
  name: z.string().meta({ examples: ['billing'] }),
  answered: count,
  of: count,
  rate: part.nullable(),
})

export type CountedTickets = z.infer<typeof Counted>

const Shown = z.object({
  number: count,
  ref: TicketRef,
  subject: z.string().nullable(),
  beginning: z.string().describe('The first words of the message.'),
  confidence: part.nullable(),
})

export const SimulationReport = z
  .object({
    all: SimulatedRate.describe('Of all tickets, with those that were left out.'),
    tried: SimulatedRate.describe('Of those that were tried.'),
    failed: count.describe('Tickets whose answer failed. They count as not answered.'),
    left_out: z.array(LeftOutTickets),
    sample: TicketSample.nullable(),
    reviews: z.object({
      right: count,
      partly: count,
      wrong: count,
      enough: z.boolean().describe(`Whether there are ${FEWEST_REVIEWS} or more.`),
    }),
    solved: z
      .object({ rate: part, ...Interval.shape })
      .nullable()
      .describe(
        'The share of the tried tickets that would have been answered rightly: the rate times the share of right answers among the reviewed ones, with an interval over both (bootstrap). Null without enough reviews.',
      ),
    like_agent: z
      .object({ compared: count, mean: part })
      .nullable()
      .describe(
        "The mean share of an agent's sentences that the answer says too, over the answered tickets with a reply of an agent. A likeness of words, not a proof.",
      ),
    by_tag: z.array(Counted),
    by_month: z.array(Counted),
    by_language: z.array(Counted),
    by_length: z.array(Counted),
    thresholds: z
      .array(
        z.object({
          confidence: part,
          answered: count,
          rate: part.nullable(),
          reviewed: count,
          right: part.nullable().describe('The share of right answers among those reviewed.'),
        }),
      )
      .describe('What would be answered if an answer needed this confidence.'),
    gaps: z
      .array(z.object({ question: z.string(), tickets: count, refs: z.array(z.string()) }))
      .describe('What was not answered, by topic, the most frequent first.'),
    surest: z.array(Shown).describe('Answered tickets with the highest confidence.'),
    doubtful: z.array(Shown).describe('Answered tickets with the lowest confidence.'),
    own_documents: count.describe(
      'Tickets from which the knowledge base has a document. That document was left out of the answer to its own ticket.',
    ),
    base: z
      .object({
        at: Timestamp,
        documents: count,
        sources: z.array(z.object({ name: z.string(), type: z.string(), documents: count })),
        model: z.object({ name: z.string(), host: z.string().nullable() }).nullable(),
        embedding: z.object({ host: z.string() }).nullable(),
      })
      .nullable()
      .describe('The knowledge base as it was when the simulation ended.'),
    seconds: z.number().nullable().describe('How long it took.'),
    against: z
      .object({
        id: z.string(),
        name: z.string(),
        same: count.describe('Tickets that are in both.'),
        gained: count.describe('Answered here, and not there.'),
        lost: count.describe('Answered there, and not here.'),
        changed: z
          .array(Shown.extend({ change: z.enum(['gained', 'lost']) }))
          .describe('The first hundred of them.'),
        by_chance: part.meta({
          description: 'How likely so large a difference is by chance alone (McNemar, exact).',
          examples: [0.03],
        }),
      })
      .nullable(),
  })
  .meta({ id: 'SimulationReport' })

export type SimulationReport = z.infer<typeof SimulationReport>

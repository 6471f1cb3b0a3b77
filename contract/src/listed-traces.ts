import { z } from 'zod'
import { Milliseconds } from './conversations.ts'
import { fraction, idOf, nullableText, Timestamp } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { Surface } from './surfaces.ts'

const ListedTrace = z
  .object({
    message_id: idOf('message'),
    conversation_id: idOf('conversation'),
    surface: Surface,
    query: z.string().meta({ examples: ['How do I rotate an API key?'] }),
    covered: z.boolean().nullable().describe('Null if the answer was cut off.'),
    confidence: fraction(0.86),
    vote: z.enum(['up', 'down']).nullable(),
    stopped_by: nullableText(),
    total_ms: Milliseconds,
    created_at: Timestamp,
  })
  .meta({ id: 'ListedTrace', description: 'A question whose trace can be read.' })

export type ListedTrace = z.infer<typeof ListedTrace>

export const TracesQuery = PageQuery.extend({
  covered: z
    .enum(['true', 'false'])
    .transform((given) => given === 'true')
    .optional()
    .describe('Only complete answers that were covered, or that were not.'),
  surface: Surface.optional(),
  vote: z.enum(['up', 'down']).optional(),
})

export const TracePage = pageOf(ListedTrace, 'TracePage')

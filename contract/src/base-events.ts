import { z } from 'zod'
import { declareEndpoints, CALLED_BY, GET } from './endpoint.ts'
import { StreamError } from './errors.ts'
import { InKnowledgeBase } from './params.ts'
import { SyncSummary } from './syncs.ts'

/** What of a base a list shows; a frame names those that may have changed. */
export const BASE_TOPICS = ['sources', 'documents', 'approvals', 'simulations', 'evaluations'] as const

export const BaseEvent = z
  .object({
    syncs: z
      .array(SyncSummary)
      .describe(
        'The syncs that changed since the frame before; in the first frame those that have not ended.',
      ),
    changed: z.array(z.enum(BASE_TOPICS)).meta({
      description: 'What was added, changed or removed since: read the list again if you show it.',
      examples: [['documents']],
    }),
  })
  .meta({ id: 'BaseEvent', description: 'What happened in a knowledge base since the frame before.' })

export type BaseEvent = z.infer<typeof BaseEvent>

/** One `data:` line of the stream. */
export const BaseFrame = z
  .union([BaseEvent, StreamError])
  .meta({ id: 'BaseFrame', description: 'One frame of the events of a knowledge base.' })

export const BASE_EVENT_ENDPOINTS = declareEndpoints({
  followKnowledgeBase: {
    caller: 'access-token',
    room: 'channels/base-events',
    group: 'Knowledge bases',
    ...GET('/api/v1/knowledge-bases/{id}/events'),
    summary: 'Follow a knowledge base',
    description:
      'Streams what happens in it as server-sent events, at most one frame a second: the progress of its syncs, and which lists have changed. The first frame comes at once. The stream ends after some minutes, and when the caller may no longer see the base: connect again. One person has at most 20 of them.',
    ...CALLED_BY.members,
    params: InKnowledgeBase,
    answer: { status: 200, events: BaseFrame },
    refusals: ['RATE_LIMITED'],
  },
})

import { z } from 'zod'
import { PageQuery } from './paging.ts'

export const SyncError = z
  .object({
    kind: z
      .enum(['failed', 'skipped'])
      .describe('`failed`: could not be read this time. `skipped`: left out on purpose.'),
    url: z.string().meta({
      description: 'Its address; for an uploaded file, or a file in a folder or repository, its path.',
      examples: ['https://docs.example.com/old'],
    }),
    reason: z.string().meta({ examples: ['The server answered 503 three times.'] }),
  })
  .meta({ id: 'SyncError', description: 'An address that did not become a document, and why.' })

export const SyncErrorQuery = PageQuery.extend({
  kind: z.enum(['failed', 'skipped']).optional().describe('Only these.'),
})

export const SyncChange = z
  .object({
    kind: z.enum(['added', 'changed', 'removed']).meta({ examples: ['changed'] }),
    title: z.string().meta({ description: 'As it was then.', examples: ['Rotating keys'] }),
    url: z.string().meta({
      description: 'Its address; for an uploaded file, or a file in a folder or repository, its path.',
      examples: ['https://docs.example.com/keys'],
    }),
  })
  .meta({ id: 'SyncChange', description: 'A document that a sync added, changed or removed.' })

export type SyncChange = z.infer<typeof SyncChange>

export const SyncChangeQuery = PageQuery.extend({
  kind: z.enum(['added', 'changed', 'removed']).optional().describe('Only these.'),
})

import { z } from 'zod'
import { SYNC_STATUSES } from './closed-lists.ts'
import { declareEndpoints } from './endpoint.ts'
import { StreamError } from './errors.ts'
import { idOf, recordFields, Timestamp } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { OfSource, OneRecord } from './params.ts'

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] })

export const SyncCounts = z
  .object({
    discovered: count('Addresses known so far.', 567),
    fetched: count('Bodies that were downloaded.', 12),
    added: count('New documents.', 3),
    changed: count('Documents whose content changed.', 9),
    unchanged: count('Documents that did not change.', 514),
    removed: count('Documents removed, because the source no longer has them.', 1),
    skipped: count('Addresses left out on purpose.', 41),
    failed: count('Addresses that could not be read; their documents are kept.', 0),
  })
  .meta({ id: 'SyncCounts', description: 'The progress of a sync.' })

/** A sync without its errors by page. */
export const SyncSummary = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    source_id: idOf('source'),
    status: z.enum(SYNC_STATUSES).meta({
      description:
        '`partial`: it ended, but some pages could not be read, removals were held back, or the source asked to wait too long.',
      examples: ['succeeded'],
    }),
    counts: SyncCounts,
    error: z
      .string()
      .nullable()
      .meta({
        description: 'Why the source as a whole could not be read, or what a `partial` sync held back.',
        examples: [null],
      }),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'SyncSummary', description: 'One run of reading a source.' })

export type SyncSummary = z.infer<typeof SyncSummary>

export const SyncError = z
  .object({
    kind: z.enum(['failed', 'skipped']).meta({
      description: '`failed`: could not be read this time. `skipped`: left out on purpose.',
    }),
    url: z.string().meta({
      description: 'Its address; for an uploaded file, or a file in a folder or repository, its path.',
      examples: ['https://docs.example.com/old'],
    }),
    reason: z.string().meta({ examples: ['The server answered 503 three times.'] }),
  })
  .meta({ id: 'SyncError', description: 'An address that did not become a document, and why.' })

export const Sync = SyncSummary.extend({ errors: z.array(SyncError) }).meta({
  id: 'Sync',
  description: 'One run of reading a source, with its errors by page.',
})

export type Sync = z.infer<typeof Sync>

/** One frame of the progress stream; the last one has `errors`. */
export const SyncProgress = SyncSummary.extend({ errors: z.array(SyncError).optional() }).meta({
  id: 'SyncProgress',
  description: 'The current state of the sync. The last frame, sent when it has ended, also has `errors`.',
})

export type SyncProgress = z.infer<typeof SyncProgress>

/** One `data:` line of the progress stream. */
export const SyncFrame = z
  .union([SyncProgress, StreamError])
  .meta({ id: 'SyncFrame', description: 'One frame of a progress stream.' })

export const SyncToStart = z
  .strictObject({
    accept_deletions: z.boolean().default(false).meta({
      description:
        'Remove what the source no longer has, even if that is more than 20 % of its documents (and at least 20). Such removals are otherwise held back, because a lost permission looks the same.',
    }),
  })
  .meta({ id: 'SyncToStart', examples: [{ accept_deletions: false }] })

const about = { caller: 'access-token', room: 'content/syncs', group: 'Syncs' } as const

export const SYNC_ENDPOINTS = declareEndpoints({
  startSync: {
    ...about,
    method: 'POST',
    path: '/api/v1/sources/{id}/sync',
    summary: 'Start a sync',
    description:
      'Reads the source and updates the index. If a sync is already queued or running, it is returned.',
    scope: 'config',
    permission: 'config',
    params: OfSource,
    body: SyncToStart,
    isBodyOptional: true,
    answer: { status: 202, body: SyncSummary },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  listSyncs: {
    ...about,
    method: 'GET',
    path: '/api/v1/sources/{id}/syncs',
    summary: 'List the syncs of a source',
    description: 'Newest first.',
    scope: 'read',
    permission: 'member',
    params: OfSource,
    query: PageQuery,
    answer: { status: 200, body: pageOf(SyncSummary, 'SyncPage') },
  },
  getSync: {
    ...about,
    method: 'GET',
    path: '/api/v1/syncs/{id}',
    summary: 'Read a sync',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, body: Sync },
  },
  followSync: {
    ...about,
    method: 'GET',
    path: '/api/v1/syncs/{id}/events',
    summary: 'Follow a sync',
    description: 'Streams its progress as server-sent events. The stream ends when the sync does.',
    scope: 'read',
    permission: 'member',
    params: OneRecord,
    answer: { status: 200, events: SyncFrame },
  },
  cancelSync: {
    ...about,
    method: 'POST',
    path: '/api/v1/syncs/{id}/cancel',
    summary: 'Cancel a sync',
    description:
      'It stops within a second or two. What was read so far is kept. A sync that has ended is not changed.',
    scope: 'config',
    permission: 'config',
    params: OneRecord,
    answer: { status: 200, body: SyncSummary },
  },
})

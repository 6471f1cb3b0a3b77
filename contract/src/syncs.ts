import { z } from 'zod'
import { SYNC_STATUSES } from './closed-lists.ts'
import { declareEndpoints, CALLED_BY, GET, POST } from './endpoint.ts'
import { StreamError } from './errors.ts'
import { idOf, nullableText, recordFields, Timestamp } from './fields.ts'
import { PageQuery, pageOf } from './paging.ts'
import { PartOf } from './part-of.ts'
import { InKnowledgeBase, OfSource, OneRecord } from './params.ts'
import { SyncChange, SyncChangeQuery, SyncError, SyncErrorQuery } from './sync-notes.ts'

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

export const SyncHold = z
  .object({
    status: z
      .enum(['reading', 'measuring', 'waiting', 'released', 'accepted', 'discarded', 'superseded'])
      .meta({
        description:
          '`reading`: what it finds is written, and no reader sees it. `measuring`: it has ended, and the evaluation set is searched with and without its documents. `waiting`: it is held back until you accept or discard it. `released`: measured, and shown to readers. `superseded`: a later sync of the source took its documents over.',
        examples: ['waiting'],
      }),
    hit5_before: PartOf.nullable().describe(
      'Questions of the evaluation set whose page is among the first five for readers as they are. Null: not measured.',
    ),
    hit5_after: PartOf.nullable().describe('The same with the documents of this sync.'),
    decided_at: Timestamp.nullable().describe('When it was released, accepted or discarded.'),
  })
  .meta({ id: 'SyncHold', description: 'What becomes of the documents of a sync that are held back.' })

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
    error: nullableText().describe(
      'Why the source as a whole could not be read, or what a `partial` sync held back.',
    ),
    warnings: z.array(z.string()).meta({
      description:
        'What was left out of the source: what limits of this service leave out of it or of its documents, and sitemaps that the site names and that are not there. Every sync tells it again. The status does not tell of it.',
      examples: [[]],
    }),
    hold: SyncHold.nullable().meta({
      description:
        'Of a source with `hold_back_drop`: what becomes of the documents that this sync added, changed or removed. Null: they were visible as soon as they were read, or there were none.',
      examples: [null],
    }),
    retried_addresses: z
      .int()
      .min(1)
      .nullable()
      .meta({
        description:
          'How many addresses it reads again that another sync could not read. Null: it reads the whole source.',
        examples: [null],
      }),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'SyncSummary', description: 'One run of reading a source.' })

export type SyncSummary = z.infer<typeof SyncSummary>

const Rank = z.int().min(1)

const LostQuestion = z
  .object({
    question: z.string().meta({ examples: ['How do I rotate an API key?'] }),
    rank_before: Rank.describe('Place of the page that answers, for readers as they are.'),
    rank_after: Rank.nullable().meta({
      description: 'With the documents of the sync. Null if it is not among the first ten.',
      examples: [null],
    }),
  })
  .meta({ id: 'LostQuestion' })

export const Sync = SyncSummary.extend({
  errors: z.array(SyncError),
  lost_questions: z
    .array(LostQuestion)
    .describe('Questions whose page would leave the first five with its documents, if it was measured.'),
}).meta({ id: 'Sync', description: 'One run of reading a source, with its errors by page.' })

export type Sync = z.infer<typeof Sync>

export const HeldDocument = z
  .object({
    id: idOf('document'),
    kind: z.enum(['added', 'changed', 'removed']).meta({ examples: ['changed'] }),
    title: z.string().meta({ description: 'As it will be.', examples: ['Rotating keys'] }),
    url: z.string().meta({
      description: 'Its address; for an uploaded file, or a file in a folder or repository, its path.',
      examples: ['https://docs.example.com/keys'],
    }),
  })
  .meta({ id: 'HeldDocument', description: 'A document that changes for readers when the sync is accepted.' })

export type HeldDocument = z.infer<typeof HeldDocument>

/** One frame of the progress stream; the last one has `errors` and `lost_questions`. */
export const SyncProgress = Sync.partial({ errors: true, lost_questions: true }).meta({
  id: 'SyncProgress',
  description:
    'The current state of the sync. The last frame, sent when it has ended, also has `errors` and `lost_questions`.',
})

export type SyncProgress = z.infer<typeof SyncProgress>

/** One `data:` line of the progress stream. */
export const SyncFrame = z
  .union([SyncProgress, StreamError])
  .meta({ id: 'SyncFrame', description: 'One frame of a progress stream.' })

export const SyncToStart = z
  .strictObject({
    accept_deletions: z
      .boolean()
      .default(false)
      .describe(
        'Remove what the source no longer has, even if that is more than 20 % of its documents (and at least 20), or, of a source without an API, more than half (and at least 5). Such removals are otherwise held back, because a lost permission, or a site under maintenance, looks the same.',
      ),
  })
  .meta({ id: 'SyncToStart', examples: [{ accept_deletions: false }] })

export const SyncToRetry = z
  .strictObject({
    urls: z
      .array(z.string().max(8_192))
      .min(1)
      .max(1_000)
      .optional()
      .meta({
        description: 'Addresses among those that failed. Default: all of them.',
        examples: [['https://docs.example.com/sso']],
      }),
  })
  .meta({ id: 'SyncToRetry', examples: [{}] })

/** What happened to each source of a knowledge base. */
export const StartedSyncs = z
  .object({
    data: z.array(SyncSummary).describe('One sync of each source that can be read.'),
    refused: z
      .array(z.object({ source_id: idOf('source'), error: z.string() }))
      .meta({ description: 'Sources that may not be read, each with the reason.', examples: [[]] }),
  })
  .meta({ id: 'StartedSyncs' })

export type StartedSyncs = z.infer<typeof StartedSyncs>

const about = { caller: 'access-token', room: 'content/syncs', group: 'Syncs' } as const

export const SYNC_ENDPOINTS = declareEndpoints({
  startSync: {
    ...about,
    ...POST('/api/v1/sources/{id}/sync'),
    summary: 'Start a sync',
    description:
      'Reads the source and updates the index. If a sync is already queued or running, it is returned.',
    ...CALLED_BY.configurers,
    params: OfSource,
    body: SyncToStart,
    isBodyOptional: true,
    answer: { status: 202, body: SyncSummary },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  startSyncs: {
    ...about,
    ...POST('/api/v1/knowledge-bases/{id}/sync'),
    summary: 'Start a sync of each source',
    description:
      'Reads every source of the knowledge base again. Sources to which documents are pushed are left out. Of a source that is being read, that sync is returned.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    answer: { status: 202, body: StartedSyncs },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED'],
  },
  listSyncs: {
    ...about,
    ...GET('/api/v1/sources/{id}/syncs'),
    summary: 'List the syncs of a source',
    description: 'Newest first.',
    ...CALLED_BY.members,
    params: OfSource,
    query: PageQuery,
    answer: { status: 200, body: pageOf(SyncSummary, 'SyncPage') },
  },
  getSync: {
    ...about,
    ...GET('/api/v1/syncs/{id}'),
    summary: 'Read a sync',
    ...CALLED_BY.members,
    params: OneRecord,
    answer: { status: 200, body: Sync },
  },
  followSync: {
    ...about,
    ...GET('/api/v1/syncs/{id}/events'),
    summary: 'Follow a sync',
    description: 'Streams its progress as server-sent events. The stream ends when the sync does.',
    ...CALLED_BY.members,
    params: OneRecord,
    answer: { status: 200, events: SyncFrame },
  },
  listSyncErrors: {
    ...about,
    ...GET('/api/v1/syncs/{id}/errors'),
    summary: 'List the errors of a sync',
    description:
      'In the order in which they were met; at most the first 1,000. Empty until the sync has ended, and when a hundred later ones of its source have.',
    ...CALLED_BY.members,
    params: OneRecord,
    query: SyncErrorQuery,
    answer: { status: 200, body: pageOf(SyncError, 'SyncErrorPage') },
  },
  listSyncChanges: {
    ...about,
    ...GET('/api/v1/syncs/{id}/changes'),
    summary: 'List the changes of a sync',
    description:
      'The documents that it added, changed or removed, in the order in which they were written; at most the first 1,000. Empty until the sync has ended.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    query: SyncChangeQuery,
    answer: { status: 200, body: pageOf(SyncChange, 'SyncChangePage') },
  },
  retrySync: {
    ...about,
    ...POST('/api/v1/syncs/{id}/retry'),
    summary: 'Retry what a sync could not read',
    description:
      'Starts a sync that reads these addresses alone, without following links, and removes nothing. Sources that cannot read single addresses are read whole. If a sync of the source is already queued or running, it is returned.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    body: SyncToRetry,
    isBodyOptional: true,
    answer: { status: 202, body: SyncSummary },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  cancelSync: {
    ...about,
    ...POST('/api/v1/syncs/{id}/cancel'),
    summary: 'Cancel a sync',
    description:
      'It stops within a second or two. What was read so far is kept. A sync that has ended is not changed.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 200, body: SyncSummary },
  },
  listHeldDocuments: {
    ...about,
    ...GET('/api/v1/syncs/{id}/held-documents'),
    summary: 'List the documents that a sync holds back',
    description: 'By document id. Empty if it holds none, or no longer.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    query: PageQuery,
    answer: { status: 200, body: pageOf(HeldDocument, 'HeldDocumentPage') },
  },
  acceptSync: {
    ...about,
    ...POST('/api/v1/syncs/{id}/accept'),
    summary: 'Accept a sync that is held back',
    description:
      'Readers see all of its documents from then on: added, changed and removed at the same moment.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 200, body: SyncSummary },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
  discardSync: {
    ...about,
    ...POST('/api/v1/syncs/{id}/discard'),
    summary: 'Discard a sync that is held back',
    description:
      'Readers go on seeing what they saw. The next sync reads the source from the beginning, and is measured again.',
    ...CALLED_BY.configurers,
    params: OneRecord,
    answer: { status: 200, body: SyncSummary },
    refusals: ['KNOWLEDGE_BASE_ARCHIVED', 'CONFLICT'],
  },
})

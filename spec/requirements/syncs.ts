import type { Requirement } from '../requirement.ts'

const lives = 'service/src/content/syncs/syncs.ts'
const running = 'service/src/content/syncs/run-sync.ts'
const notes = 'service/src/content/syncs/sync-notes-store.ts'
const measuring = 'service/src/answers/evaluation/measure-held-syncs.ts'
const spec = 'open-items#2-management-api'

export const SYNCS = {
  'syncs.start': { says: 'POST starts a sync: 202 with its record.', spec, lives },
  'syncs.one-at-once': {
    says: 'Of a source one sync runs at a time; asking again gives that one.',
    spec,
    lives,
  },
  'syncs.list': {
    says: 'GET lists the syncs of a source.',
    spec,
    lives: 'service/src/content/syncs/syncs-store.ts',
  },
  'syncs.read': {
    says: 'GET reads a sync with its times and its errors by page.',
    spec,
    lives: 'service/src/content/syncs/present-sync.ts',
  },
  'syncs.cancel': { says: 'Cancelling ends a sync: cancelled.', spec, lives: running },
  'syncs.follow': {
    says: 'Its events are a stream of its progress, which ends with it.',
    spec,
    lives: 'service/src/content/syncs/follow-sync.ts',
  },
  'syncs.follow-base': {
    says: 'One stream tells of everything that happens in a base: the progress of its syncs, and which of its lists have changed.',
    spec,
    lives: 'service/src/channels/base-events/base-events.ts',
  },
  'syncs.fair': {
    says: 'Syncs take turns by workspace, then by base: a slow site keeps nobody else waiting.',
    spec,
    lives: 'service/src/content/syncs/claim-sync-store.ts',
  },
  'syncs.counts': {
    says: 'Counts say how many were discovered, fetched, added, changed, unchanged, removed, skipped and failed.',
    spec,
    lives: 'service/src/content/syncs/index-items.ts',
  },
  'syncs.succeeded': { says: 'A sync that read everything has succeeded.', spec, lives: running },
  'syncs.partial': {
    says: 'A sync in which pages could not be read is partial, and keeps them.',
    spec,
    lives: running,
  },
  'syncs.mass-removal': {
    says: 'If a source no longer shows many of its documents, they stay until somebody accepts that they go.',
    spec,
    lives: 'service/src/content/syncs/removal-of.ts',
  },
  'syncs.hold-back': {
    says: 'A source may hold a sync back whose documents make hit@5 of the evaluation set fall by more than a share: no reader sees them until somebody accepts, and then all of them at once.',
    spec: 'open-items#2-management-api',
    lives: measuring,
  },
  'syncs.hold-released': {
    says: 'A sync that is not held back becomes visible when it is measured.',
    spec: 'open-items#2-management-api',
    lives: measuring,
  },
  'syncs.hold-taken-over': {
    says: 'While documents of a sync wait, the next sync of the source takes them over, and is measured with them.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/content/syncs/sync-holds-store.ts',
  },
  'syncs.hold-discarded': {
    says: 'Discarding a sync that is held back changes nothing for readers; the next one reads everything again.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/content/syncs/sync-holds.ts',
  },
  'syncs.warnings': {
    says: 'A sync warns of what a limit of the service left out of its source.',
    spec,
    lives: 'service/src/content/syncs/reached-limits.ts',
  },
  'syncs.errors': {
    says: 'The errors of a sync are listed in pages, all or those of one kind.',
    spec,
    lives: notes,
  },
  'syncs.changes': {
    says: 'GET lists the documents that a sync added, changed or removed.',
    spec,
    lives: notes,
  },
  'syncs.retry': {
    says: 'Retrying a sync reads again what it could not read, all or some addresses, and nothing else.',
    spec,
    lives,
  },
  'syncs.start-all': {
    says: 'One request starts a sync of each source of a base.',
    spec,
    lives: 'service/src/content/sources/sources.ts',
  },
  'syncs.failed': {
    says: 'A sync whose source could not be read at all has failed, and loses nothing.',
    spec,
    lives: running,
  },
} as const satisfies Record<string, Requirement>

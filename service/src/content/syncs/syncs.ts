import type { BaseHooks } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { isRedacted } from '../../kernel/redact-addresses.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { createSharedSlots } from '../../platform/fairness/shared-slots.ts'
import type { Job, Jobs } from '../../platform/jobs/jobs.ts'
import { createRunSlots } from '../../platform/jobs/run-slots.ts'
import type { Indexing } from '../indexing/indexing.ts'
import { capacityAt, claimNextSync, MOST_SYNCS, type ClaimedSync } from './claim-sync-store.ts'
import { runSync } from './run-sync.ts'
import { openHold } from './sync-holds-store.ts'
import { listSyncErrors, pageOfChanges, pageOfErrors, type SyncError } from './sync-notes-store.ts'
import type { RunSyncDeps, SourceToSync } from './sync-to-run.ts'
import {
  acceptDeletions,
  findSync,
  findUnfinished,
  finishSync,
  insertSync,
  listSyncs,
  makeWhole,
  NO_COUNTS,
  requestCancel,
  requeueAbandoned,
  type SyncRow,
  type SyncsDb,
} from './syncs-store.ts'

export { presentSync } from './present-sync.ts'
export { progressFailure } from './progress-failure.ts'
export { createSyncHolds, type HoldFigures, type HoldToMeasure, type SyncHolds } from './sync-holds.ts'
export { selectSyncs } from './select-syncs-store.ts'
export { cancelSyncsOfBase } from './syncs-store.ts'
export type { SyncRow } from './syncs-store.ts'
export type { SourceToSync } from './sync-to-run.ts'

export const syncHooks: BaseHooks = { records: [{ noun: 'syncs', table: 'syncs' }] }

export interface SyncsDeps {
  db: SyncsDb
  indexing: Indexing
  jobs: Jobs
  events: Events
  /** Undefined: disk space is not checked. */
  freeSpace?: RunSyncDeps['freeSpace']
  findSource(knowledgeBaseId: string, sourceId: string): Promise<SourceToSync | undefined>
  newId: () => string
  now: () => Date
  log: RunSyncDeps['log']
}

/** A running sync without a heartbeat for this long is abandoned. */
export const ABANDONED_AFTER_SECONDS = 15

/** A sync that ended its worker this often without writing anything is not retried, nor one that did so that often in all. */
const MOST_ATTEMPTS = { attempts: 5, starts: 50 }

const SYNC_JOB = 'sync-source'

const SECRET_ADDRESS = 'its address holds a secret that is not kept: sync the source'

/** In addition to the one that each sync has at any time. Limits memory: a document being indexed is held with all its passages. */
const MAX_DOCUMENTS_IN_FLIGHT = 12

export function createSyncs(deps: SyncsDeps) {
  const { db, jobs, events, newId, now } = deps

  const wake = () => jobs.enqueue(SYNC_JOB, {})

  /**
   * Starts a sync of a source, or returns the one in progress. One that waits to read some addresses reads the whole source instead, if
   * that is asked for; one that is reading them already does not (`isOfSomeAddresses`).
   *
   * @param options.acceptsDeletions it may remove many documents at once
   * @param options.onlyAddresses it reads nothing else, if a new one begins
   */
  async function request(
    knowledgeBaseId: string,
    sourceId: string,
    options: { acceptsDeletions?: boolean; onlyAddresses?: readonly string[] | undefined } = {},
  ): Promise<SyncRow> {
    const acceptsDeletions = options.acceptsDeletions === true
    const inserted = await insertSync(db, {
      knowledgeBaseId,
      id: newId(),
      sourceId,
      acceptsDeletions,
      onlyAddresses: options.onlyAddresses,
      now: now(),
    })
    if (inserted !== undefined) {
      await wake()
      return inserted
    }
    // The conflicting sync may have ended just now: then there is nothing to find, and a new one can be queued.
    const unfinished = await findUnfinished(db, knowledgeBaseId, sourceId)
    if (unfinished === undefined) return await request(knowledgeBaseId, sourceId, options)
    if (acceptsDeletions) await acceptDeletions(db, knowledgeBaseId, unfinished.id)
    const isToGrow = options.onlyAddresses === undefined && unfinished.only_addresses !== null
    if (!isToGrow || unfinished.status !== 'queued') return unfinished
    const whole = await makeWhole(db, { knowledgeBaseId, syncId: unfinished.id, now: now() })
    // A worker has just begun it.
    return whole ?? (await request(knowledgeBaseId, sourceId, options))
  }

  async function get(
    knowledgeBaseId: string,
    syncId: string,
  ): Promise<{ sync: SyncRow; errors: SyncError[] }> {
    const sync = await findSync(db, knowledgeBaseId, syncId)
    if (sync === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such sync.' })
    return {
      sync,
      errors: sync.finished_at === null ? [] : await listSyncErrors(db, knowledgeBaseId, syncId),
    }
  }

  /** The addresses of a sync that failed, all or those of `urls`; without those that are not known as they were. */
  async function addressesToRetry(
    knowledgeBaseId: string,
    syncId: string,
    urls: readonly string[] | undefined,
  ): Promise<{ sourceId: string; addresses: string[] }> {
    const { sync, errors } = await get(knowledgeBaseId, syncId)
    if (sync.finished_at === null)
      throw new Refusal('CONFLICT', {
        because: 'This sync is still being read. Wait for its end, or cancel it.',
      })
    const failed = new Set(errors.flatMap(({ kind, url }) => (kind === 'failed' ? [url] : [])))
    if (failed.size === 0) {
      const because =
        sync.counts.failed > 0
          ? 'What this sync could not read is no longer kept: sync the source.'
          : 'This sync could read every address.'
      throw new Refusal('CONFLICT', { because })
    }
    const unusable = (urls ?? []).flatMap((url, at) => {
      const path = `urls[${at}]`
      if (!failed.has(url)) return [{ path, message: 'is not an address that this sync could not read' }]
      return isRedacted(url) ? [{ path, message: SECRET_ADDRESS }] : []
    })
    if (unusable.length > 0) throw new Refusal('BAD_REQUEST', { details: unusable })
    const addresses = [...new Set(urls ?? failed)].filter((url) => !isRedacted(url))
    if (addresses.length === 0)
      throw new Refusal('CONFLICT', {
        because: `Nothing can be read again by its address: ${SECRET_ADDRESS}.`,
      })
    return { sourceId: sync.source_id, addresses }
  }

  async function cancel(knowledgeBaseId: string, syncId: string): Promise<SyncRow> {
    await requestCancel(db, knowledgeBaseId, syncId, now())
    return (await get(knowledgeBaseId, syncId)).sync
  }

  /**
   * Resumes what a crash left behind, and wakes workers for what waits. Workers call it every few seconds; the embedded engine calls it
   * with 0 at startup, when no other worker can be alive.
   */
  async function recover(abandonedAfterSeconds: number): Promise<void> {
    if (await requeueAbandoned(db, { abandonedAfterSeconds, most: MOST_ATTEMPTS, now: now() })) await wake()
  }

  async function run({ sync, workspaceId }: ClaimedSync, shutdown: AbortSignal): Promise<void> {
    const { knowledge_base_id: knowledgeBaseId, id: syncId } = sync
    const lease = sync.lease ?? ''
    const source = await deps.findSource(knowledgeBaseId, sync.source_id)
    if (source === undefined || !source.isActive) {
      const ended = {
        knowledgeBaseId,
        syncId,
        lease,
        status: 'cancelled',
        counts: NO_COUNTS,
        errors: [],
        changes: [],
        warnings: [],
      } as const
      await finishSync(db, {
        ...ended,
        error: 'The knowledge base is archived. Restore it to sync its sources.',
        now: now(),
      })
      return
    }
    const of = { knowledgeBaseId, syncId, sourceId: sync.source_id }
    const isHeld = await openHold(db, { ...of, now: now() })
    const result = await runSync(
      { ...deps, inFlight },
      { ...source, ...of, workspaceId, lease, isHeld, onlyAddresses: sync.only_addresses ?? undefined },
      shutdown,
    )
    if (result === undefined) return
    const { added, changed, removed } = result.counts
    events.announce('sync.finished', {
      knowledgeBaseId,
      sourceId: sync.source_id,
      syncId,
      hasChangedDocuments: !isHeld && added + changed + removed > 0,
      isHeld,
    })
  }

  const inFlight = createSharedSlots(MAX_DOCUMENTS_IN_FLIGHT)
  const slots = createRunSlots({
    most: MOST_SYNCS,
    claim: (running, served) =>
      claimNextSync(db, { lease: newId(), now: now(), capacity: capacityAt(running), served }),
    ownerOf: ({ workspaceId, sync }) => ({ workspaceId, knowledgeBaseId: sync.knowledge_base_id }),
    run: async (claimed, shutdown) => {
      await run(claimed, shutdown).catch((error: unknown) =>
        deps.log.warn({ err: error, sync_id: claimed.sync.id }, 'a sync ended unexpectedly'),
      )
    },
  })

  const syncJobs: Job[] = [
    {
      name: SYNC_JOB,
      // A job only signals that something waits: one of the two stays until nothing runs any more, the other one picks up what is new.
      concurrency: 2,
      handle: async (_data, signal) => {
        if (!(await slots.work(signal))) await wake()
      },
    },
  ]

  return {
    request,
    get,
    addressesToRetry,
    errors: async (of: Parameters<typeof pageOfErrors>[1]) => await pageOfErrors(db, of),
    changes: async (of: Parameters<typeof pageOfChanges>[1]) => await pageOfChanges(db, of),
    cancel,
    recover,
    list: (of: { knowledgeBaseId: string; sourceId: string; before: string | undefined; limit: number }) =>
      listSyncs(db, of),
    jobs: syncJobs,
  }
}

/** Whether a sync reads some addresses by now, and nothing else. */
export const isOfSomeAddresses = ({ status, only_addresses }: SyncRow): boolean =>
  status === 'running' && only_addresses !== null

export type Syncs = ReturnType<typeof createSyncs>

import { Refusal } from '../../kernel/refusal.ts'
import { redactAddresses } from '../../kernel/redact-addresses.ts'
import type { SyncCounts } from './syncs-tables.ts'
import type { FreeSpace } from '../../platform/files/free-space.ts'
import { untilAborted, SourceFailure, type Connector, type SourceItem } from '../connectors/connectors.ts'
import type { SharedSlots } from '../../platform/fairness/shared-slots.ts'
import { StorageUnavailable } from '../../platform/storage/storage-unavailable.ts'
import { IndexFailure, type Indexing } from '../indexing/indexing.ts'
import { openPageMemories } from './page-memories.ts'
import {
  writeHeartbeat,
  finishSync,
  listSourceDocuments,
  NO_COUNTS,
  type SyncError,
  type SyncsDb,
} from './syncs-store.ts'

export interface RunSyncDeps {
  db: SyncsDb
  /** Undefined: disk space is not checked. */
  freeSpace?: Pick<FreeSpace, 'reserve'> | undefined
  indexing: Indexing
  now: () => Date
  /** Documents indexed at the same time, in addition to one for each sync. */
  inFlight: SharedSlots
  log: { warn(fields: object, message: string): void }
}

export interface SyncToRun {
  knowledgeBaseId: string
  syncId: string
  sourceId: string
  workspaceId: string
  lease: string
  connector: Connector<unknown>
  config: unknown
  language: string | undefined
  respectRobotsTxt: boolean
}

/** How often counts are written and cancellation is checked. */
const HEARTBEAT_MS = 1_000

/** Documents that are embedded and written while the connector continues reading. */
const DOCUMENTS_IN_FLIGHT = 4

/** Maximum pages that a sync lists with their reasons; further ones are only counted. */
const MAX_LISTED_ERRORS = 1_000

class SyncCancelled extends Error {}
class SyncLost extends Error {}

export interface SyncResult {
  status: 'succeeded' | 'partial' | 'failed' | 'cancelled'
  counts: SyncCounts
}

/**
 * Reads a source to its end and makes the index match it: added, changed, unchanged, removed. Documents become visible one by one as they
 * are done; those that the source no longer has are removed at the end, and only if the whole source was read. Undefined if another worker
 * took the sync over.
 */
export async function runSync(
  deps: RunSyncDeps,
  sync: SyncToRun,
  shutdown: AbortSignal,
): Promise<SyncResult | undefined> {
  const { db, now } = deps
  const counts: SyncCounts = { ...NO_COUNTS }
  const errors: SyncError[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, shutdown])
  const beating = setInterval(() => {
    void writeHeartbeat(db, { ...sync, counts, now: now() })
      .then((leaseState) => {
        if (leaseState === 'cancel') stop.abort(new SyncCancelled('The sync was cancelled.'))
        if (leaseState === 'lost') stop.abort(new SyncLost('Another worker took the sync over.'))
      })
      .catch((error: unknown) =>
        deps.log.warn({ err: error, sync_id: sync.syncId }, 'cannot write the heartbeat of a sync'),
      )
  }, HEARTBEAT_MS)

  const finish = async (status: SyncResult['status'], error: string | undefined) => {
    await finishSync(db, { ...sync, status, counts, error, errors, now: now() })
    return { status, counts }
  }
  try {
    // If the disk is full, nothing is fetched.
    for (const place of ['data', 'temporary'] as const) (await deps.freeSpace?.reserve(place, 0))?.release()
    await readSource(deps, sync, counts, errors, signal)
    return await finish(counts.failed > 0 ? 'partial' : 'succeeded', undefined)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (reason instanceof SyncLost) return undefined
    if (reason instanceof SyncCancelled) return await finish('cancelled', undefined)
    // Shutting down: the sync stays `running` without a heartbeat, and the next process to start continues it.
    if (shutdown.aborted) return undefined
    // The same if the storage is down: the sync is resumed when it is back.
    if (reason instanceof StorageUnavailable) return undefined
    if (reason instanceof SourceFailure || reason instanceof Refusal)
      return await finish('failed', reason.message)
    deps.log.warn({ err: reason, sync_id: sync.syncId }, 'sync failed')
    return await finish('failed', 'The sync failed because of an internal error. See the log of the service.')
  } finally {
    clearInterval(beating)
  }
}

async function readSource(
  deps: RunSyncDeps,
  sync: SyncToRun,
  counts: SyncCounts,
  errors: SyncError[],
  signal: AbortSignal,
): Promise<void> {
  const { db, indexing, now } = deps
  const memories = await openPageMemories(db, sync, { pipeline: indexing.pipelineFor(sync.language), now })
  const kept = new Set<string>()
  const addedNow = new Set<string>()
  /** By external id, so that a later version of a document waits for the earlier one. */
  const inFlight = new Map<string, Promise<void>>()
  let fault: { error: unknown } | undefined
  const extras = deps.inFlight.open()
  let extrasTaken = 0

  const note = (kind: SyncError['kind'], url: string, reason: string) => {
    counts[kind] += 1
    if (errors.length < MAX_LISTED_ERRORS) {
      errors.push({ kind, url: redactAddresses(url), reason: redactAddresses(reason) })
    }
  }

  async function indexItem(item: Extract<SourceItem, { kind: 'document' }>): Promise<void> {
    const outcome = await indexing
      .indexDocument(
        {
          knowledgeBaseId: sync.knowledgeBaseId,
          sourceId: sync.sourceId,
          externalId: item.externalId,
          url: item.url,
          document: item.document,
          language: sync.language,
          visibility: undefined,
          sourceModifiedAt: item.modifiedAt,
        },
        signal,
        async (transaction) => await memories.rememberIn(transaction, item.memory),
      )
      .catch((error: unknown) => {
        // The workspace's storage quota is used up; continue, since other pages may have become smaller.
        if (error instanceof Refusal && error.code === 'PLAN_REQUIRED') return error
        throw error
      })
    if (outcome instanceof Refusal) {
      note('failed', item.url, outcome.message)
      return
    }
    if (outcome !== 'gone') counts[outcome] += 1
    if (outcome === 'added') addedNow.add(item.externalId)
  }

  /** Whether one more document may be indexed concurrently. */
  function hasRoom(): boolean {
    if (inFlight.size >= DOCUMENTS_IN_FLIGHT) return false
    if (inFlight.size <= extrasTaken) return true
    if (!extras.take()) return false
    extrasTaken += 1
    return true
  }

  function leave(externalId: string): void {
    inFlight.delete(externalId)
    if (extrasTaken <= inFlight.size) return
    extras.release()
    extrasTaken -= 1
  }

  async function take(item: SourceItem): Promise<void> {
    switch (item.kind) {
      case 'discovered':
        counts.discovered = item.count
        return
      case 'document': {
        counts.fetched += 1
        kept.add(item.externalId)
        await inFlight.get(item.externalId)
        const indexed = indexItem(item)
          .catch((error: unknown) => {
            // Only this document is at fault: its indexed version is kept, and the following documents are still read.
            if (error instanceof IndexFailure) note('failed', item.url, error.message)
            else fault ??= { error }
          })
          .finally(() => leave(item.externalId))
        inFlight.set(item.externalId, indexed)
        while (!hasRoom()) await Promise.race(inFlight.values())
        return
      }
      case 'unchanged':
        counts.unchanged += 1
        kept.add(item.externalId)
        await memories.remember(item.memory)
        return
      case 'skipped':
        // A page yielded as a document may later turn out to duplicate one at a canonical address.
        await inFlight.get(item.url)
        kept.delete(item.url)
        note('skipped', item.url, item.reason)
        await memories.remember(item.memory)
        return
      case 'failed':
        note('failed', item.url, item.reason)
        if (item.externalId !== undefined) kept.add(item.externalId)
        await memories.remember(item.memory)
        return
    }
  }

  const input = {
    config: sync.config,
    sourceId: sync.sourceId,
    owner: sync,
    respectRobotsTxt: sync.respectRobotsTxt,
    signal,
    recall: memories.recall,
  }
  try {
    for await (const item of untilAborted(sync.connector.read(input), signal)) {
      signal.throwIfAborted()
      if (fault !== undefined) throw fault.error
      await take(item)
    }
  } finally {
    await Promise.all(inFlight.values())
    extras.close()
  }
  if (fault !== undefined) throw fault.error
  signal.throwIfAborted()

  const missing = await removeMissing(deps, sync, kept)
  // Documents added and removed within this sync do not count.
  const addedAndRemoved = missing.filter((externalId) => addedNow.has(externalId)).length
  counts.added -= addedAndRemoved
  counts.removed = missing.length - addedAndRemoved
  await memories.close()
  const rewritten = counts.changed + counts.removed
  const all = counts.added + counts.unchanged + rewritten
  await indexing.refreshStatistics(sync.knowledgeBaseId, all === 0 ? 0 : rewritten / all)
}

/** Removes the documents that the source no longer has, and returns their external ids. */
async function removeMissing(
  { db, indexing }: RunSyncDeps,
  sync: SyncToRun,
  kept: Set<string>,
): Promise<string[]> {
  const missing = (await listSourceDocuments(db, sync)).filter((document) => !kept.has(document.externalId))
  await indexing.removeDocuments(
    sync.knowledgeBaseId,
    missing.map((document) => document.id),
  )
  return missing.map((document) => document.externalId)
}

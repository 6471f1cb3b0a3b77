import { Refusal } from '../../kernel/refusal.ts'
import { redactAddresses } from '../../kernel/redact-addresses.ts'
import type { SourceItem } from '../connectors/connectors.ts'
import { pageTitle } from '../chunking/chunking.ts'
import { IndexFailure, type IndexDb } from '../indexing/indexing.ts'
import type { openPageMemories } from './page-memories.ts'
import type { RunSyncDeps, SyncToRun } from './sync-to-run.ts'
import { requireOpenHold } from './sync-holds-store.ts'
import { forgetItems } from './source-progress-store.ts'
import type { SyncChange, SyncError } from './sync-notes-store.ts'
import { findSourceDocuments, listRestrictedDocuments } from './source-documents-store.ts'
import type { SyncCounts } from './syncs-tables.ts'

/** Documents that are embedded and written while the connector continues reading. */
const DOCUMENTS_IN_FLIGHT = 4

/** Maximum pages that a sync lists with their reasons, and documents with what became of them; further ones are only counted. */
const MAX_LISTED = 1_000

/** Items that are about documents. */
export type AboutDocument = Exclude<SourceItem, { kind: 'cursor' | 'complete' }>

type NewDocument = Extract<SourceItem, { kind: 'document' }>

/**
 * Takes the items of a connector and writes what they say to the index, several documents at a time. `counts` and `errors` are updated
 * while it works.
 */
export function createItemIndexer(
  deps: RunSyncDeps,
  sync: SyncToRun,
  { counts, errors, changes }: { counts: SyncCounts; errors: SyncError[]; changes: SyncChange[] },
  given: {
    memories: Awaited<ReturnType<typeof openPageMemories>>
    /** Documents that the source refused to strangers before: if a stranger reads them now, they are for everyone again. */
    refusedBefore: ReadonlySet<string>
    signal: AbortSignal
  },
) {
  const { indexing } = deps
  const { memories, refusedBefore, signal } = given
  const of = { knowledgeBaseId: sync.knowledgeBaseId, sourceId: sync.sourceId }
  const kept = new Set<string>()
  /** Addresses that the source refuses now. */
  const refused = new Set<string>()
  const addedNow = new Set<string>()
  /** What this sync restricts, and what was restricted before; read when it is first needed. */
  const restrictedNow = new Set<string>()
  let restrictedBefore: Promise<Set<string>> | undefined
  /** To be read first by the next sync. */
  const toRetry = new Set<string>()
  /** By external id, so that a later version of a document waits for the earlier one. */
  const inFlight = new Map<string, Promise<void>>()
  let fault: { error: unknown } | undefined
  const extras = deps.inFlight.open()
  let extrasTaken = 0

  const note = (kind: SyncError['kind'], url: string, reason: string) => {
    counts[kind] += 1
    if (errors.length < MAX_LISTED)
      errors.push({ kind, url: redactAddresses(url), reason: redactAddresses(reason) })
  }

  const noteChange = (kind: SyncChange['kind'], { title, url }: { title: string; url: string }) => {
    if (changes.length < MAX_LISTED)
      changes.push({ kind, title: pageTitle(title), url: redactAddresses(url) })
  }

  function forgetAddition({ url }: { url: string }): void {
    counts.added -= 1
    const at = changes.findIndex((change) => change.kind === 'added' && change.url === redactAddresses(url))
    if (at !== -1) changes.splice(at, 1)
  }

  /** A worker that lost its sync must not leave anything held: nobody would decide on it. */
  const stillHolds = async (transaction: IndexDb) => await requireOpenHold(transaction, sync)

  /** At once, whether its text is held back or not. */
  async function restrict(externalId: string): Promise<void> {
    restrictedNow.add(externalId)
    await indexing.restrictAtSource({ ...of, externalId })
    if (sync.isHeld) await indexing.followOnRelease({ ...of, externalId, follows: false })
  }

  /**
   * Whether the document may be restricted because of its source: one that is not has nothing to follow. Not to be asked within a
   * transaction, which may have the only session.
   */
  async function mayFollow(externalId: string): Promise<boolean> {
    if (sync.isHeld || restrictedNow.has(externalId)) return true
    restrictedBefore ??= listRestrictedDocuments(deps.db, of)
    return (await restrictedBefore).has(externalId)
  }

  /** A document whose new text is held is opened together with it. */
  async function follow(externalId: string, transaction?: IndexDb): Promise<void> {
    if (sync.isHeld && (await indexing.followOnRelease({ ...of, externalId, follows: true }, transaction)))
      return
    await indexing.followSource({ ...of, externalId }, transaction)
  }

  const visibilityOf = ({
    externalId,
    visibility,
  }: Extract<SourceItem, { kind: 'document' | 'unchanged' }>) =>
    visibility ?? (refusedBefore.has(externalId) ? 'as-source' : undefined)

  async function indexItem(item: NewDocument): Promise<void> {
    const { externalId } = item
    const visibility = visibilityOf(item)
    // First of all, since the new text may be one that cannot be indexed.
    if (visibility === 'restricted') await restrict(externalId)
    const follows = visibility === 'as-source' && (await mayFollow(externalId))
    const outcome = await indexing
      .indexDocument(
        {
          ...of,
          externalId,
          url: item.url,
          document: item.document,
          language: sync.language,
          visibility: undefined,
          isRestrictedAtSource: visibility === 'restricted',
          sourceModifiedAt: item.modifiedAt,
          isHeld: sync.isHeld,
        },
        signal,
        async (transaction) => {
          if (sync.isHeld) await stillHolds(transaction)
          if (follows) await follow(externalId, transaction)
          await memories.rememberIn(transaction, item.memory)
        },
      )
      .catch((error: unknown) => {
        // The workspace's storage quota is used up; continue, since other pages may have become smaller.
        if (error instanceof Refusal && error.code === 'PLAN_REQUIRED') return error
        throw error
      })
    if (outcome instanceof Refusal) {
      toRetry.add(externalId)
      note('failed', item.url, outcome.message)
      return
    }
    if (outcome !== 'gone') counts[outcome] += 1
    if (outcome === 'added') addedNow.add(externalId)
    if (outcome === 'added' || outcome === 'changed')
      noteChange(outcome, { title: item.document.title, url: item.url })
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

  async function index(item: NewDocument): Promise<void> {
    counts.fetched += 1
    kept.add(item.externalId)
    toRetry.delete(item.externalId)
    await inFlight.get(item.externalId)
    const indexed = indexItem(item)
      .catch((error: unknown) => {
        toRetry.add(item.externalId)
        // Only this document is at fault: its indexed version is kept, and the following documents are still read.
        if (error instanceof IndexFailure) note('failed', item.url, error.message)
        else fault ??= { error }
      })
      .finally(() => leave(item.externalId))
    inFlight.set(item.externalId, indexed)
    while (!hasRoom()) await Promise.race(inFlight.values())
  }

  async function keep(item: Extract<SourceItem, { kind: 'unchanged' }>): Promise<void> {
    const { externalId, memory } = item
    const visibility = visibilityOf(item)
    counts.unchanged += 1
    kept.add(externalId)
    toRetry.delete(externalId)
    if (visibility === 'restricted') await restrict(externalId)
    if (visibility === 'as-source' && (await mayFollow(externalId))) await follow(externalId)
    await memories.remember(memory)
  }

  /**
   * Removes the documents made from these items: when the source is released, if it is held. `isRestriction`: the source still has them, and
   * refuses them to this account. That is carried out at once, as any restriction.
   */
  async function remove(
    externalIds: readonly string[],
    { isRestriction = sync.connector.hidesAsGone === true }: { isRestriction?: boolean } = {},
  ): Promise<void> {
    for (const externalId of externalIds) {
      await inFlight.get(externalId)
      kept.delete(externalId)
      toRetry.delete(externalId)
    }
    const found = await findSourceDocuments(deps.db, of, externalIds)
    const documentIds = found.map((document) => document.id)
    if (sync.isHeld && !isRestriction) await indexing.holdRemovals({ ...of, documentIds }, stillHolds)
    else if (found.length > 0) await indexing.removeDocuments(of.knowledgeBaseId, documentIds)
    await forgetItems(deps.db, of, externalIds)
    for (const document of found) {
      // Documents added and removed within this sync do not count.
      if (addedNow.delete(document.externalId)) forgetAddition(document)
      else {
        counts.removed += 1
        noteChange('removed', document)
      }
    }
  }

  async function skip(item: Extract<SourceItem, { kind: 'skipped' }>): Promise<void> {
    // A page yielded as a document may later turn out to duplicate one at a canonical address.
    await inFlight.get(item.url)
    kept.delete(item.url)
    if (item.isForbidden === true) refused.add(item.url)
    note('skipped', item.url, item.reason)
    if (item.externalId !== undefined) await remove([item.externalId])
    await memories.remember(item.memory)
  }

  async function fail(item: Extract<SourceItem, { kind: 'failed' }>): Promise<void> {
    const { externalId, visibility } = item
    note('failed', item.url, item.reason)
    if (externalId !== undefined) {
      kept.add(externalId)
      toRetry.add(externalId)
      // An earlier version that is being written would loosen it again.
      await inFlight.get(externalId)
      if (visibility === 'restricted') await restrict(externalId)
    }
    await memories.remember(item.memory)
  }

  async function take(item: AboutDocument): Promise<void> {
    if (fault !== undefined) throw fault.error
    switch (item.kind) {
      case 'discovered':
        counts.discovered = item.count
        return
      case 'document':
        return await index(item)
      case 'unchanged':
        return await keep(item)
      case 'skipped':
        return await skip(item)
      case 'removed':
        return await remove([item.externalId])
      case 'failed':
        return await fail(item)
    }
  }

  /** Waits for the documents that are being written. */
  async function drain(): Promise<void> {
    await Promise.all(inFlight.values())
  }

  return {
    take,
    remove,
    restrict,
    /** Whether this sync added the document. */
    isNew: (externalId: string) => addedNow.has(externalId),
    /** Waits until everything taken so far is in the index; throws what went wrong there. */
    settle: async () => {
      await drain()
      if (fault !== undefined) throw fault.error
      signal.throwIfAborted()
    },
    kept,
    refused,
    toRetry,
    close: async () => {
      await drain()
      extras.close()
    },
  }
}

import { hash } from 'node:crypto'
import {
  MAX_CURSOR_CHARACTERS,
  SourceFailure,
  untilAborted,
  type SourceItem,
} from '../connectors/connectors.ts'
import { createItemIndexer } from './index-items.ts'
import { openPageMemories } from './page-memories.ts'
import type { ReachedLimits } from './reached-limits.ts'
import { removalOf } from './removal-of.ts'
import { settleLanguage } from './settle-language.ts'
import type { RunSyncDeps, SyncToRun } from './sync-to-run.ts'
import { findProgress, listMarkers, saveProgress, type Progress } from './source-progress-store.ts'
import type { SyncChange, SyncError } from './sync-notes-store.ts'
import { listRestrictedDocuments, listSourceDocuments } from './source-documents-store.ts'
import { areDeletionsAccepted } from './syncs-store.ts'
import type { SyncCounts } from './syncs-tables.ts'

/** A source of up to this many documents is listed in each sync, a larger one once a day. */
const LISTED_EACH_TIME = 2_000
const LISTED_EVERY_MS = 24 * 60 * 60 * 1_000

/** Failed items that the next sync reads first; beyond it, they are read when the source is next listed. */
const MAX_RETRIES = 1_000

interface SyncTally {
  counts: SyncCounts
  errors: SyncError[]
  changes: SyncChange[]
  limits: Pick<ReachedLimits, 'note'>
}

/**
 * Makes the index match a source. First what failed last time, then what its connector reads, then, where changes do not tell what was
 * deleted, the complete list of its items.
 *
 * @returns why removals were held back, in words for the owner
 */
export async function readSource(
  deps: RunSyncDeps,
  sync: SyncToRun,
  tally: SyncTally,
  signal: AbortSignal,
): Promise<{ heldBack: string | undefined }> {
  const { db, indexing, now } = deps
  const { connector } = sync
  const pipeline = indexing.pipelineFor(sync.language)
  const readAs = { pipeline, settings: hash('sha256', JSON.stringify([connector.type, sync.config])) }
  const memories = await openPageMemories(db, sync, { pipeline, now })
  const { progress: before, hadOtherSettings } = await findProgress(db, sync, readAs)
  const refusedBefore =
    connector.readsAsStranger === true ? await listRestrictedDocuments(db, sync) : new Set<string>()
  const indexer = createItemIndexer(deps, sync, tally, { memories, refusedBefore, signal })
  for (const externalId of before.retry) indexer.toRetry.add(externalId)
  const isListed = connector.list !== undefined
  let progress: Progress = before
  let isWhole = false

  async function save(changed: Partial<Progress>): Promise<void> {
    const retry = connector.readItems === undefined ? [] : [...indexer.toRetry].slice(0, MAX_RETRIES)
    progress = { ...progress, ...changed, retry }
    if (isWhole || isListed || connector.readItems !== undefined || progress.cursor !== undefined)
      await saveProgress(db, sync, { ...progress, readAs, now: now() })
  }

  async function takeAll(
    items: AsyncGenerator<SourceItem, void, void>,
    look?: (item: SourceItem) => Promise<boolean>,
  ): Promise<void> {
    for await (const item of untilAborted(items, signal)) {
      signal.throwIfAborted()
      if (item.kind === 'complete') await takeComplete(item)
      else if (item.kind === 'cursor') await takeCursor(item.cursor)
      else if ((await look?.(item)) !== true) await indexer.take(item)
    }
  }

  async function takeComplete({ isEverything }: Extract<SourceItem, { kind: 'complete' }>): Promise<void> {
    // What was read before a cursor is not mentioned again.
    isWhole = before.cursor === undefined || isEverything === true
    // Until what is missing is removed: the next cursor says nothing of it.
    if (isEverything === true) await save({ wholeAt: undefined })
  }

  async function takeCursor(cursor: Record<string, unknown>): Promise<void> {
    if (JSON.stringify(cursor).length > MAX_CURSOR_CHARACTERS)
      throw new SourceFailure(
        'This source has too many parts to remember where each goes on. Choose fewer libraries or drives, and read the others with another source.',
      )
    await indexer.settle()
    await memories.flush()
    // What failed is not asked for by its name: the next sync reads from the same place.
    if (connector.readItems === undefined && indexer.toRetry.size > 0) return
    await save({ cursor })
  }

  const input = {
    config: sync.config,
    credentials: sync.openCredentials(),
    access: sync.access,
    saveCredentials: sync.saveCredentials,
    sourceId: sync.sourceId,
    owner: sync,
    respectRobotsTxt: sync.respectRobotsTxt,
    cursor: before.cursor,
    signal,
    recall: memories.recall,
    onLimit: (limit: string, place: string) => tally.limits.note(limit, place),
  }

  async function readItems(
    externalIds: readonly string[],
    look?: (item: SourceItem) => Promise<boolean>,
  ): Promise<void> {
    if (connector.readItems !== undefined && externalIds.length > 0)
      await takeAll(connector.readItems(input, externalIds), look)
  }

  /** Reads what is new or changed in the list of the source; what it has is then in `indexer.kept`. */
  async function readList(list: NonNullable<typeof connector.list>): Promise<void> {
    await indexer.settle()
    await memories.flush()
    const known = await listMarkers(db, sync, pipeline)
    const stale: string[] = []
    let listed = 0
    for await (const entry of untilAborted(list(input), signal)) {
      listed += 1
      // Read in this sync already, or tried.
      if (indexer.kept.has(entry.externalId)) continue
      indexer.kept.add(entry.externalId)
      if (known.get(entry.externalId) === entry.changed) tally.counts.unchanged += 1
      else stale.push(entry.externalId)
    }
    tally.counts.discovered = Math.max(tally.counts.discovered, listed)
    await readItems(stale)
    isWhole = true
  }

  /** Removes what the source no longer has. Why not, if that is suspiciously much. */
  async function removeMissing(): Promise<string | undefined> {
    const canLook = connector.readItems !== undefined
    const { refused } = indexer
    const indexed = await listSourceDocuments(db, sync)
    const all = indexed.map(({ externalId }) => externalId)
    // Added by this sync, until it found the same text at a better address.
    const copies = canLook ? [] : all.filter((id) => !indexer.kept.has(id) && indexer.isNew(id))
    await indexer.remove(copies)
    const had = all.length - copies.length
    const missing = withoutThese(all, copies).filter((id) => !indexer.kept.has(id))
    const removal = removalOf({ missing: missing.length, indexed: had, canLook })
    // Whoever changed the settings of a crawl wants what they leave out to go; what an account may read is another matter.
    const isChosen = hadOtherSettings && !isListed
    if (removal.needsConsent && !isChosen && !(await areDeletionsAccepted(db, sync))) {
      // Nobody who may not read it there reads it here, whatever becomes of it.
      for (const id of missing) if (refused.has(id)) await indexer.restrict(id)
      return `The source no longer shows ${missing.length} of ${had} documents. They are kept, since ${isListed ? LOST_PERMISSION : EMPTIED}`
    }
    if (!removal.isLookedAt) {
      await indexer.remove(
        missing.filter((id) => refused.has(id)),
        { isRestriction: true },
      )
      await indexer.remove(missing.filter((id) => !refused.has(id)))
      return undefined
    }
    // A list that moves while it is read can omit an item: each is looked at before it goes.
    await readItems(missing, async (item) => {
      const isGone = item.kind === 'failed' && item.isForbidden === true && item.externalId !== undefined
      if (isGone) await indexer.remove([item.externalId ?? ''], { isRestriction: true })
      return isGone
    })
    return undefined
  }

  let heldBack: string | undefined
  try {
    await readItems(before.retry)
    await takeAll(itemsToRead(sync, input, before))
    if (!isWhole && connector.list !== undefined && (await isListDue(deps, sync, before)))
      await readList((given) => connector.list?.(given) ?? nothing())
    await indexer.settle()
    if (isWhole) heldBack = await removeMissing()
    await indexer.settle()
  } finally {
    await indexer.close()
    // Also after a failure: what failed is read first the next time.
    if (!signal.aborted) await save({})
  }

  // The memories of a listed source are forgotten item by item: an unchanged item is not remembered again. Those of documents whose removal
  // is held back are of use when the source shows them again.
  if (isWhole && !isListed && heldBack === undefined) await memories.close()
  else await memories.flush()
  // While removals are held back, each sync lists the source: one that may remove them has to know them.
  if (isWhole) await save({ wholeAt: heldBack === undefined ? now() : undefined })
  const { counts } = tally
  const rewritten = counts.changed + counts.removed
  const all = counts.added + counts.unchanged + rewritten
  const analysed = await settleLanguage(deps, sync, all, signal)
  await indexing.refreshStatistics(sync.knowledgeBaseId, Math.max(analysed, all === 0 ? 0 : rewritten / all))
  return { heldBack }
}

const LOST_PERMISSION =
  'that may be a lost permission. Check what the account of this source may read; if they are really gone, sync again with accept_deletions.'
const EMPTIED =
  'a site that is under maintenance or asks for a sign-in looks the same. Look at the source, and at what this sync left out; if they are to go, sync again with accept_deletions.'

function withoutThese(ids: readonly string[], left: readonly string[]): readonly string[] {
  const without = new Set(left)
  return ids.filter((id) => !without.has(id))
}

/** What a product failed to give is asked for by its ids. Not if none is known any more, as after a change of its settings. */
const readsWhole = ({ connector, onlyAddresses }: SyncToRun, { retry }: Progress) =>
  onlyAddresses === undefined || (connector.readAddresses === undefined && retry.length === 0)

/** The whole source, or the addresses that are read again. What a product failed to give is asked for before this. */
function itemsToRead(
  sync: SyncToRun,
  input: Parameters<SyncToRun['connector']['read']>[0],
  before: Progress,
): AsyncGenerator<SourceItem, void, void> {
  const { connector, onlyAddresses } = sync
  if (readsWhole(sync, before)) return connector.read(input)
  return connector.readAddresses?.(input, onlyAddresses ?? []) ?? nothing()
}

async function* nothing(): AsyncGenerator<never, void, void> {}

async function isListDue({ db, now }: RunSyncDeps, sync: SyncToRun, before: Progress): Promise<boolean> {
  if (!readsWhole(sync, before)) return false
  const { wholeAt } = before
  if (wholeAt === undefined || now().getTime() - wholeAt.getTime() >= LISTED_EVERY_MS) return true
  return (await listSourceDocuments(db, sync)).length <= LISTED_EACH_TIME
}

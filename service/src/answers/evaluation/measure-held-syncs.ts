import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { findKnowledgeBase } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Search } from '../../content/search/search.ts'
import type { HoldFigures, HoldToMeasure, SyncHolds } from '../../content/syncs/syncs.ts'
import { placeOfPage } from '../../kernel/page-of-address.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Job, Jobs } from '../../platform/jobs/jobs.ts'
import type { Db, Joined } from '../../platform/storage/tables.ts'
import { compareRanks, fallsBeyond, holdFiguresOf, type Ranked } from './compare-ranks.ts'
import { readSet, type EvaluationSetDb } from './evaluation-set-store.ts'

export interface MeasureHeldSyncsDeps {
  db: Joined<EvaluationSetDb | Db<'knowledge_bases' | 'workspaces'>>
  syncHolds: Pick<SyncHolds, 'toMeasure' | 'countHeld' | 'clear' | 'release' | 'holdBack'>
  /** With the masking of the base, as readers search. */
  search: Pick<Search, 'findPages'>
  jobs: Pick<Jobs, 'enqueue'>
  events: Pick<Events, 'listen'>
  log: { warn(fields: object, message: string): void }
}

const MEASURE_JOB = 'measure-held-syncs'

/** Ranks are looked up a little further than the five of hit@5, to say where a page went. */
const DEPTH = 10

/** Bases that are measured at the same time: a long set of one keeps no other waiting. */
const LANES = 3

/** A set that takes longer is judged by the questions that were asked until then. */
const MEASURING_MS = 5 * 60_000

/**
 * Measures the syncs whose documents are held: each question of the evaluation set that names a page is searched twice, as readers see the
 * base and as they would see it, without asking any language model. What costs too many hits waits for a person; the rest is released.
 */
export function createHeldSyncsMeasuring({ db, syncHolds, search, jobs, events, log }: MeasureHeldSyncsDeps) {
  /** Bases take turns: when each was last served, and those that are being measured. */
  const servedAt = new Map<string, number>()
  const beingMeasured = new Set<string>()
  let turn = 0

  async function rankOf(
    base: KnowledgeBaseRow,
    { question, urls }: { question: string; urls: readonly string[] },
    heldOf: string | undefined,
    signal: AbortSignal,
  ): Promise<Ranked> {
    const { passages, mode } = await search.findPages({
      knowledgeBaseId: base.id,
      groupIds: undefined,
      // As evaluations search: the pages that readers of the base get.
      includeRestricted: base.type === 'internal',
      heldOf,
      query: question,
      language: base.language ?? undefined,
      limit: DEPTH,
      signal,
    })
    return {
      mode,
      rank: placeOfPage(
        urls,
        passages.map(({ url }) => url),
      ),
    }
  }

  async function measure(hold: HoldToMeasure, signal: AbortSignal): Promise<HoldFigures | undefined> {
    const base = await findKnowledgeBase(db, hold.knowledgeBaseId)
    const set = await readSet(db, hold.knowledgeBaseId)
    const withPage = set.filter(({ answerable, urls }) => answerable && urls.length > 0)
    if (base === undefined || withPage.length === 0) return undefined
    const asked = await compareRanks(
      withPage,
      {
        before: async (question, within) => await rankOf(base, question, undefined, within),
        after: async (question, within) => await rankOf(base, question, hold.sourceId, within),
      },
      { signal, limit: AbortSignal.timeout(MEASURING_MS) },
    )
    return holdFiguresOf(asked)
  }

  async function judge(hold: HoldToMeasure, signal: AbortSignal): Promise<void> {
    const { added, changed, removed } = await syncHolds.countHeld(hold)
    if (added + changed + removed === 0) {
      await syncHolds.clear(hold)
      return
    }
    const figures = hold.maxDrop === null ? undefined : await measure(hold, signal)
    if (figures !== undefined && hold.maxDrop !== null && fallsBeyond(figures, hold.maxDrop))
      await syncHolds.holdBack(hold, figures)
    else await syncHolds.release(hold, figures)
  }

  /** Of those that wait, one of the base that was served longest ago, and of that the oldest. */
  function takeNext(
    waiting: readonly HoldToMeasure[],
    tried: ReadonlySet<string>,
  ): HoldToMeasure | undefined {
    const placeOf = ({ knowledgeBaseId }: HoldToMeasure) => servedAt.get(knowledgeBaseId) ?? 0
    return waiting
      .filter(({ syncId, knowledgeBaseId }) => !tried.has(syncId) && !beingMeasured.has(knowledgeBaseId))
      .toSorted((left, right) => placeOf(left) - placeOf(right))[0]
  }

  async function measureAll(tried: Set<string>, signal: AbortSignal): Promise<void> {
    for (;;) {
      const hold = takeNext(await syncHolds.toMeasure(), tried)
      if (hold === undefined) return
      const { knowledgeBaseId, syncId } = hold
      tried.add(syncId)
      beingMeasured.add(knowledgeBaseId)
      servedAt.set(knowledgeBaseId, (turn += 1))
      try {
        await judge(hold, signal)
      } catch (error) {
        if (signal.aborted) throw error
        // One that cannot be measured now does not keep the others waiting; the next minute tries again.
        log.warn({ err: error, sync_id: syncId }, 'a held sync could not be measured')
      } finally {
        beingMeasured.delete(knowledgeBaseId)
      }
    }
  }

  const job: Job = {
    name: MEASURE_JOB,
    // Also what a crash left unmeasured.
    schedule: '* * * * *',
    handle: async (_data, signal) => {
      const tried = new Set<string>()
      await Promise.all(Array.from({ length: LANES }, async () => await measureAll(tried, signal)))
      servedAt.clear()
    },
  }

  events.listen('sync.finished', async ({ isHeld }) => {
    if (isHeld) await jobs.enqueue(MEASURE_JOB, {})
  })

  return { jobs: [job] }
}

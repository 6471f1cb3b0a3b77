import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { findKnowledgeBase } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Search } from '../../content/search/search.ts'
import type { HoldFigures, HoldToMeasure, SyncHolds } from '../../content/syncs/syncs.ts'
import { placeOfPage } from '../../kernel/page-of-address.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Job, Jobs } from '../../platform/jobs/jobs.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { readSet, type EvaluationSetDb } from './evaluation-set-store.ts'

export interface MeasureHeldSyncsDeps {
  db: EvaluationSetDb & Db<'knowledge_bases' | 'workspaces'>
  syncHolds: Pick<SyncHolds, 'toMeasure' | 'countHeld' | 'clear' | 'release' | 'holdBack'>
  /** With the masking of the base, as readers search. */
  search: Pick<Search, 'findPages'>
  jobs: Pick<Jobs, 'enqueue'>
  events: Pick<Events, 'listen'>
  log: { warn(fields: object, message: string): void }
}

const MEASURE_JOB = 'measure-held-syncs'

/** hit@5: the page is among the first five. Ranks are looked up a little further, to say where it went. */
const HIT = 5
const DEPTH = 10

/** Questions that are kept with a sync, to say what it would lose. */
const MAX_LOST = 50

interface Asked {
  question: string
  before: number | undefined
  after: number | undefined
}

const isHit = (rank: number | undefined): rank is number => rank !== undefined && rank <= HIT

/** What the ranks of every question say. */
export function holdFiguresOf(asked: readonly Asked[]): HoldFigures {
  const lost = asked.flatMap(({ question, before, after }) =>
    isHit(before) && !isHit(after) ? [{ question, rank_before: before, rank_after: after ?? null }] : [],
  )
  return {
    questions: asked.length,
    hit5_before: asked.filter(({ before }) => isHit(before)).length,
    hit5_after: asked.filter(({ after }) => isHit(after)).length,
    lost: lost.slice(0, MAX_LOST),
  }
}

/** Whether hit@5 falls by more than this share. Counted in questions, so that 0.1 of ten is not more than one. */
export function fallsBeyond(figures: HoldFigures, maxDrop: number): boolean {
  const fall = figures.hit5_before - figures.hit5_after
  return fall > maxDrop * figures.questions + 1e-9
}

/**
 * Measures the syncs whose documents are held: each question of the evaluation set that names a page is searched twice, as readers see the
 * base and as they would see it, without asking any language model. What costs too many hits waits for a person; the rest is released.
 */
export function createHeldSyncsMeasuring({ db, syncHolds, search, jobs, events, log }: MeasureHeldSyncsDeps) {
  async function rankOf(
    base: KnowledgeBaseRow,
    { question, urls }: { question: string; urls: readonly string[] },
    heldOf: string | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { passages } = await search.findPages({
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
    return placeOfPage(
      urls,
      passages.map(({ url }) => url),
    )
  }

  async function measure(hold: HoldToMeasure, signal: AbortSignal): Promise<HoldFigures | undefined> {
    const base = await findKnowledgeBase(db, hold.knowledgeBaseId)
    const set = await readSet(db, hold.knowledgeBaseId)
    const withPage = set.filter(({ answerable, urls }) => answerable && urls.length > 0)
    if (base === undefined || withPage.length === 0) return undefined
    const asked: Asked[] = []
    for (const question of withPage) {
      signal.throwIfAborted()
      asked.push({
        question: question.question,
        before: await rankOf(base, question, undefined, signal),
        after: await rankOf(base, question, hold.sourceId, signal),
      })
    }
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

  const job: Job = {
    name: MEASURE_JOB,
    // Also what a crash left unmeasured.
    schedule: '* * * * *',
    concurrency: 1,
    handle: async (_data, signal) => {
      for (const hold of await syncHolds.toMeasure()) {
        // One that cannot be measured now does not keep the others waiting; the next minute tries again.
        await judge(hold, signal).catch((error: unknown) => {
          if (signal.aborted) throw error
          log.warn({ err: error, sync_id: hold.syncId }, 'a held sync could not be measured')
        })
      }
    },
  }

  events.listen('sync.finished', async ({ isHeld }) => {
    if (isHeld) await jobs.enqueue(MEASURE_JOB, {})
  })

  return { jobs: [job] }
}

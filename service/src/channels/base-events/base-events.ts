import type { BASE_TOPICS, BaseEvent } from '@citewell/contract/base-events'
import { presentSync, type SyncRow } from '../../content/syncs/syncs.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { findMovingSyncs, readMarks, type BaseEventsDb, type BaseMarks } from './base-events-store.ts'

type Topic = (typeof BASE_TOPICS)[number]

export interface BaseEventsDeps {
  db: BaseEventsDb
  events: Pick<Events, 'listen'>
  now: () => Date
  /** How often a base that somebody follows is looked at. The look is shared by all who follow it in this process. */
  everyMs: number
  /** How often the permission of each follower is read again while nothing happens; it is also read before each frame. */
  checksEveryMs: number
  /** How long a stream lasts. Whoever follows connects again. */
  lastsMs: number
}

/** Streams that one person may have open in this process: each visible window of a browser has one. */
export const MAX_STREAMS_OF_PERSON = 20

/** Who follows a base. */
export interface Following {
  personId: string
  /** Whether the person may still see the base: members are removed and tokens deleted while a stream is open. */
  isStillAllowed: () => Promise<boolean>
  signal: AbortSignal
}

/** Clocks of several processes differ, and a row is seen only when its transaction commits. */
const LOOK_BACK_MS = 10_000

/** What one stream was not given yet. Frames that were not taken are joined, so a slow reader keeps no queue. */
interface Follower {
  syncs: Map<string, SyncRow>
  changed: Set<Topic>
  wake: () => void
}

/** One base that is followed. */
interface Watch {
  followers: Set<Follower>
  /** When each sync that was told of had changed, by its id. */
  told: Map<string, number>
  marks: BaseMarks | undefined
  /** Whether documents have changed since the last look. */
  hasNewContent: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * What happens in bases, for the pages that show them. A base is looked at only while somebody follows it, once for all of them, because the
 * worker that reads its sources may be another process.
 */
export function createBaseEvents({ db, events, now, everyMs, checksEveryMs, lastsMs }: BaseEventsDeps) {
  const watches = new Map<string, Watch>()
  const streamsOf = new Map<string, number>()

  function tell(watch: Watch, syncs: readonly SyncRow[], topics: readonly Topic[]): void {
    if (syncs.length === 0 && topics.length === 0) return
    for (const follower of watch.followers) {
      for (const sync of syncs) follower.syncs.set(sync.id, sync)
      for (const topic of topics) follower.changed.add(topic)
      follower.wake()
    }
  }

  /** Reads what has changed since the last look. */
  async function look(knowledgeBaseId: string, watch: Watch): Promise<void> {
    const moving = await findMovingSyncs(db, knowledgeBaseId, new Date(now().getTime() - LOOK_BACK_MS))
    const syncs = moving.filter(({ id, updated_at: at }) => watch.told.get(id) !== at.getTime())
    const [before, after] = [watch.marks, await readMarks(db, knowledgeBaseId)]
    // After the last read: what a look that fails has seen is told by the next one.
    watch.told = new Map(moving.map(({ id, updated_at: at }) => [id, at.getTime()]))
    watch.marks = after
    const topics = (Object.keys(after) as (keyof BaseMarks)[]).filter(
      (topic) => before !== undefined && before[topic] !== after[topic],
    )
    const hasNewContent = syncs.length > 0 || watch.hasNewContent
    watch.hasNewContent = false
    tell(watch, syncs, hasNewContent ? [...topics, 'documents'] : topics)
  }

  function schedule(knowledgeBaseId: string, watch: Watch): void {
    watch.timer = setTimeout(() => {
      look(knowledgeBaseId, watch)
        // The next look tries again; readers of the stream have lost nothing.
        .catch(() => undefined)
        .finally(() => {
          if (watch.followers.size > 0) schedule(knowledgeBaseId, watch)
        })
    }, everyMs)
    watch.timer.unref()
  }

  // Told at the next look: a sync announces each of its documents, and a stream has no more frames than looks.
  events.listen('content.changed', ({ knowledgeBaseId }) => {
    const watch = watches.get(knowledgeBaseId)
    if (watch !== undefined) watch.hasNewContent = true
  })

  function join(knowledgeBaseId: string, follower: Follower): { watch: Watch; leave: () => void } {
    let watch = watches.get(knowledgeBaseId)
    if (watch === undefined) {
      watch = {
        followers: new Set(),
        told: new Map(),
        marks: undefined,
        hasNewContent: false,
        timer: undefined,
      }
      watches.set(knowledgeBaseId, watch)
      schedule(knowledgeBaseId, watch)
    }
    const joined = watch
    joined.followers.add(follower)
    const leave = () => {
      joined.followers.delete(follower)
      if (joined.followers.size > 0) return
      clearTimeout(joined.timer)
      if (watches.get(knowledgeBaseId) === joined) watches.delete(knowledgeBaseId)
    }
    return { watch: joined, leave }
  }

  /** Counts a stream. Returns what ends the count, once. */
  function enter(personId: string): () => void {
    streamsOf.set(personId, (streamsOf.get(personId) ?? 0) + 1)
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const others = (streamsOf.get(personId) ?? 1) - 1
      if (others > 0) streamsOf.set(personId, others)
      else streamsOf.delete(personId)
    }
  }

  async function* framesFor(
    knowledgeBaseId: string,
    { isStillAllowed, signal }: Following,
    leaveCount: () => void,
  ): AsyncGenerator<BaseEvent, void, void> {
    let ring = Promise.withResolvers<undefined>()
    const follower: Follower = { syncs: new Map(), changed: new Set(), wake: () => ring.resolve(undefined) }
    let isOver = signal.aborted
    const end = () => {
      isOver = true
      follower.wake()
    }
    let isDue = false
    const check = () => {
      isDue = true
      follower.wake()
    }
    const { watch, leave } = join(knowledgeBaseId, follower)
    const timers = [setTimeout(end, lastsMs).unref(), setInterval(check, checksEveryMs).unref()]
    signal.addEventListener('abort', end)
    try {
      // What the lists were when the stream began: a change from then on is told.
      watch.marks ??= await readMarks(db, knowledgeBaseId)
      const running = await findMovingSyncs(db, knowledgeBaseId, now())
      yield { syncs: running.map(presentSync), changed: [] }
      for (;;) {
        await ring.promise
        if (isOver) return
        ring = Promise.withResolvers<undefined>()
        const hasNews = () => follower.syncs.size > 0 || follower.changed.size > 0
        if (!isDue && !hasNews()) continue
        isDue = false
        if (!(await isStillAllowed())) return
        const frame = { syncs: [...follower.syncs.values()].map(presentSync), changed: [...follower.changed] }
        const isEmpty = !hasNews()
        follower.syncs.clear()
        follower.changed.clear()
        if (!isEmpty) yield frame
      }
    } finally {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', end)
      leave()
      signal.removeEventListener('abort', leaveCount)
      leaveCount()
    }
  }

  /**
   * Follows a base: yields the syncs that have not ended, then what changes, until the signal, the end of its time, or the end of the
   * permission.
   *
   * @throws Refusal RATE_LIMITED if the person has too many streams
   */
  function follow(knowledgeBaseId: string, following: Following): AsyncGenerator<BaseEvent, void, void> {
    if ((streamsOf.get(following.personId) ?? 0) >= MAX_STREAMS_OF_PERSON)
      throw new Refusal('RATE_LIMITED', {
        because: `You follow knowledge bases on ${MAX_STREAMS_OF_PERSON} connections: close one first.`,
      })
    // Counted now, not when the first frame is asked for: of two that come at once the second is told. A stream that is never read ends
    // with its signal.
    const leaveCount = enter(following.personId)
    if (following.signal.aborted) leaveCount()
    else following.signal.addEventListener('abort', leaveCount, { once: true })
    return framesFor(knowledgeBaseId, following, leaveCount)
  }

  return {
    follow,
    /** How many bases are looked at. */
    watched: () => watches.size,
  }
}

export type BaseEvents = ReturnType<typeof createBaseEvents>

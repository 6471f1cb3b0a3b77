import type { BASE_TOPICS, BaseEvent } from '@citewell/contract/base-events'
import { presentSync, type SyncRow } from '../../content/syncs/syncs.ts'
import type { Events } from '../../platform/events/events.ts'
import { findMovingSyncs, readMarks, type BaseEventsDb, type BaseMarks } from './base-events-store.ts'

type Topic = (typeof BASE_TOPICS)[number]

export interface BaseEventsDeps {
  db: BaseEventsDb
  events: Pick<Events, 'listen'>
  now: () => Date
  /** How often a base that somebody follows is looked at. The look is shared by all who follow it in this process. */
  everyMs: number
  /** How long a stream lasts. Whoever follows connects again, and their permissions are read again. */
  lastsMs: number
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
  timer: NodeJS.Timeout | undefined
}

/**
 * What happens in bases, for the pages that show them. A base is looked at only while somebody follows it, once for all of them, because the
 * worker that reads its sources may be another process.
 */
export function createBaseEvents({ db, events, now, everyMs, lastsMs }: BaseEventsDeps) {
  const watches = new Map<string, Watch>()

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
    watch.told = new Map(moving.map(({ id, updated_at: at }) => [id, at.getTime()]))
    const [before, after] = [watch.marks, await readMarks(db, knowledgeBaseId)]
    watch.marks = after
    const topics = (Object.keys(after) as (keyof BaseMarks)[]).filter(
      (topic) => before !== undefined && before[topic] !== after[topic],
    )
    tell(watch, syncs, syncs.length > 0 ? [...topics, 'documents'] : topics)
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

  events.listen('content.changed', ({ knowledgeBaseId }) => {
    const watch = watches.get(knowledgeBaseId)
    if (watch !== undefined) tell(watch, [], ['documents'])
  })

  function join(knowledgeBaseId: string, follower: Follower): { watch: Watch; leave: () => void } {
    let watch = watches.get(knowledgeBaseId)
    if (watch === undefined) {
      watch = { followers: new Set(), told: new Map(), marks: undefined, timer: undefined }
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

  /** Yields what happens in a base: at once the syncs that have not ended, then what changes, until the signal or the end of its time. */
  async function* follow(
    knowledgeBaseId: string,
    signal: AbortSignal,
  ): AsyncGenerator<BaseEvent, void, void> {
    let ring = Promise.withResolvers<undefined>()
    const follower: Follower = {
      syncs: new Map(),
      changed: new Set(),
      wake: () => ring.resolve(undefined),
    }
    let isOver = signal.aborted
    const end = () => {
      isOver = true
      follower.wake()
    }
    const { watch, leave } = join(knowledgeBaseId, follower)
    const timer = setTimeout(end, lastsMs)
    timer.unref()
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
        const frame = { syncs: [...follower.syncs.values()].map(presentSync), changed: [...follower.changed] }
        follower.syncs.clear()
        follower.changed.clear()
        if (frame.syncs.length > 0 || frame.changed.length > 0) yield frame
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      leave()
    }
  }

  return {
    follow,
    /** How many bases are looked at. */
    watched: () => watches.size,
  }
}

export type BaseEvents = ReturnType<typeof createBaseEvents>

import type { BaseFrame, Source } from '@citewell/sdk/management'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useApi } from './session.ts'

type BaseEvent = Extract<BaseFrame, { changed: unknown }>

/** Milliseconds before a stream that broke is opened again: the first time, and at most. */
const AGAIN_MS = { first: 1_000, most: 30_000 }

/** The lists that a change of a topic makes old, by the first part of their keys. */
const LISTS: Record<BaseEvent['changed'][number], readonly string[]> = {
  sources: ['sources', 'source', 'syncs'],
  documents: ['documents', 'document-counts'],
  approvals: ['approvals'],
  simulations: ['simulations', 'simulation'],
  evaluations: ['evaluations', 'evaluation'],
}

/** The base whose stream is open. While it is, nothing has to be asked for again and again. */
let followed: string | undefined
const watchers = new Set<() => void>()
function setFollowed(baseId: string | undefined): void {
  followed = baseId
  for (const tell of watchers) tell()
}

/** Whether what happens in this base is told by a stream. */
export const useIsFollowed = (baseId: string): boolean =>
  useSyncExternalStore(
    (tell) => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    () => followed === baseId,
  )

/** Shows the progress of syncs in the sources that are on the screen. */
function showSyncs(client: QueryClient, baseId: string, syncs: BaseEvent['syncs']): void {
  const shown = (source: Source): Source => {
    // One may have ended and the next begun in the same second.
    const sync = syncs
      .filter(({ source_id: id }) => id === source.id)
      .reduce<BaseEvent['syncs'][number] | undefined>(
        (latest, one) => (latest === undefined || one.created_at >= latest.created_at ? one : latest),
        undefined,
      )
    if (sync === undefined || (source.last_sync !== null && source.last_sync.created_at > sync.created_at))
      return source
    const status = sync.status === 'running' ? 'syncing' : sync.status === 'queued' ? 'queued' : undefined
    return { ...source, last_sync: sync, ...(status !== undefined && { status }) }
  }
  client.setQueryData<Source[]>(['sources', baseId], (list) => list?.map(shown))
  for (const { source_id: id } of syncs) {
    client.setQueryData<Source>(['source', id], (source) => source && shown(source))
  }
}

/** How a source ended, and what it counts now, is read once at the end of its sync. */
const topicsOf = ({ syncs, changed }: BaseEvent): BaseEvent['changed'] =>
  syncs.some(({ finished_at: end }) => end !== null) ? [...changed, 'sources'] : changed

/** Follows a base with the one stream of this tab, while the tab is in sight. */
export function useBaseEvents(baseId: string): void {
  const api = useApi()
  const client = useQueryClient()
  useEffect(() => {
    let stop = new AbortController()
    let wait = AGAIN_MS.first
    let timer: ReturnType<typeof setTimeout> | undefined
    let isEnded = false
    let wasOpen = false

    async function follow(signal: AbortSignal): Promise<void> {
      // A new stream does not tell what happened since the last one: every list is read again.
      let hasMissed = wasOpen
      for await (const frame of api.followKnowledgeBase(baseId, { signal })) {
        if (followed !== baseId) setFollowed(baseId)
        wait = AGAIN_MS.first
        showSyncs(client, baseId, frame.syncs)
        const lists = new Set(
          hasMissed ? Object.values(LISTS).flat() : topicsOf(frame).flatMap((topic) => LISTS[topic]),
        )
        wasOpen = true
        hasMissed = false
        await client.invalidateQueries({ predicate: ({ queryKey: [list] }) => lists.has(String(list)) })
      }
    }
    function open(): void {
      clearTimeout(timer)
      if (isEnded || document.hidden) return
      stop = new AbortController()
      const { signal } = stop
      follow(signal)
        .catch(() => {
          wait = Math.min(wait * 2, AGAIN_MS.most)
        })
        .finally(() => {
          if (signal.aborted) return
          setFollowed(undefined)
          timer = setTimeout(open, wait)
        })
    }
    function close(): void {
      clearTimeout(timer)
      stop.abort()
      setFollowed(undefined)
    }
    const onSight = () => {
      close()
      open()
    }
    open()
    document.addEventListener('visibilitychange', onSight)
    return () => {
      isEnded = true
      document.removeEventListener('visibilitychange', onSight)
      close()
    }
  }, [api, client, baseId])
}

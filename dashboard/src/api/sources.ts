import { useCallback, useEffect, useRef } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewSource, SourceToPreview } from '@citewell/sdk/management'
import { useIsFollowed } from './base-events.ts'
import { useApi } from './session.ts'
import { useToasts } from '../ui/toast.tsx'
import { isRunning, isWritten } from '../ui/source-status.ts'

/** Milliseconds between two looks at sources that are being read, where no stream tells of them. */
const FOLLOW_MS = 1_500

export function useSources(baseId: string) {
  const api = useApi()
  const isFollowed = useIsFollowed(baseId)
  return useQuery({
    queryKey: ['sources', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listSources(baseId, { limit: 100 }, { signal }).all()),
    refetchInterval: ({ state }) => (!isFollowed && state.data?.some(isRunning) === true ? FOLLOW_MS : false),
  })
}

/** A source as it is now; read again while it is being read. */
export function useSource(baseId: string, id: string) {
  const api = useApi()
  const isFollowed = useIsFollowed(baseId)
  return useQuery({
    queryKey: ['source', id],
    queryFn: ({ signal }) => api.getSource(id, { signal }),
    refetchInterval: ({ state }) =>
      !isFollowed && state.data !== undefined && isRunning(state.data) ? FOLLOW_MS : false,
  })
}

/** The actions on sources. Each says what went wrong, and shows the list as it is afterwards. */
export function useSourceActions(baseId: string) {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['sources', baseId] }),
      client.invalidateQueries({ queryKey: ['source'] }),
      client.invalidateQueries({ queryKey: ['syncs'] }),
      client.invalidateQueries({ queryKey: ['sync'] }),
      client.invalidateQueries({ queryKey: ['knowledge-base', baseId] }),
    ])
  }
  const run = (says: string, act: (id: string) => Promise<unknown>) => ({
    mutationFn: act,
    onSuccess: async () => {
      await refresh()
      tell(says)
    },
    onError: tellFault,
  })
  return {
    sync: useMutation(run('Reading has begun.', (id) => api.startSync(id))),
    syncAll: useMutation({
      mutationFn: () => api.startSyncs(baseId),
      onSuccess: async ({ data, refused }) => {
        const [first] = refused
        if (first !== undefined)
          tellFault(
            new Error(
              `${refused.length} of ${data.length + refused.length} sources cannot be read. ${first.error}`,
            ),
          )
        else tell('Reading has begun.')
        await refresh()
      },
      onError: tellFault,
    }),
    /** Reads again what a sync could not read: these addresses, or all of them. */
    retry: useMutation({
      mutationFn: ({ syncId, urls }: { syncId: string; urls?: string[] }) =>
        api.retrySync(syncId, urls === undefined ? {} : { urls }),
      onSuccess: async () => {
        tell('Reading has begun.')
        await refresh()
      },
      onError: tellFault,
    }),
    /** Also deletes what the last sync held back. */
    syncAndDelete: useMutation(
      run('Reading has begun. What the source no longer has is deleted.', (id) =>
        api.startSync(id, { accept_deletions: true }),
      ),
    ),
    cancel: useMutation(run('Reading was cancelled.', (syncId) => api.cancelSync(syncId))),
    accept: useMutation(run('Readers see the new documents now.', (syncId) => api.acceptSync(syncId))),
    discard: useMutation(
      run('Discarded. The next time the source is read, it is measured again.', (syncId) =>
        api.discardSync(syncId),
      ),
    ),
    remove: useMutation(run('The source and its documents were deleted.', (id) => api.deleteSource(id))),
  }
}

export function usePreview(baseId: string) {
  const api = useApi()
  const current = useRef<AbortController>(undefined)
  const preview = useMutation({
    mutationFn: (source: SourceToPreview) => {
      current.current?.abort()
      current.current = new AbortController()
      return api.previewSource(baseId, source, { signal: current.current.signal })
    },
  })
  const { reset } = preview
  /** Ends what is being read, and forgets what was. */
  const stop = useCallback(() => {
    reset()
    current.current?.abort()
  }, [reset])
  useEffect(() => () => current.current?.abort(), [])
  return { ...preview, stop }
}

/** Adds a source, and begins to read it. If only that fails, the source is there all the same: adding it again would make another. */
export function useAddSource(baseId: string) {
  const api = useApi()
  const client = useQueryClient()
  const { tellFault } = useToasts()
  return useMutation({
    mutationFn: async (source: NewSource) => {
      const made = await api.createSource(baseId, source)
      if (!isWritten(made)) await api.startSync(made.id).catch(tellFault)
      return made
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['sources', baseId] }),
  })
}

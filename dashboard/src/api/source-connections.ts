import type { SourceConnection } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useToasts } from '../ui/toast.tsx'
import { useApi } from './session.ts'

/** Milliseconds between two looks at an account that a person is allowing in another window. */
const LOOK_MS = 1_500

/** Who has allowed nothing in these milliseconds has gone away; a return to this window looks again. */
const LOOK_FOR_MS = 10 * 60_000

/** The platforms whose accounts can be connected. */
export function useConnectablePlatforms(baseId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['connectable-platforms', baseId],
    queryFn: async ({ signal }) => (await api.listConnectablePlatforms(baseId, { signal })).platforms,
  })
}

/** The accounts of a base. While one waits for a person, they are looked at again and again, for ten minutes. */
export function useSourceConnections(
  baseId: string,
  /** The account, and when its connecting was begun, in milliseconds since 1970. */
  waitsFor?: { id: string; at: number },
) {
  const api = useApi()
  return useQuery({
    queryKey: ['source-connections', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listSourceConnections(baseId, { limit: 100 }, { signal }).all()),
    refetchInterval: ({ state }) => {
      if (waitsFor === undefined || Date.now() - waitsFor.at > LOOK_FOR_MS) return false
      const waited = state.data?.find(({ id }) => id === waitsFor.id)
      return waited?.status === 'connected' ? false : LOOK_MS
    },
  })
}

/** Begins to connect an account, or one again, and opens the page of its platform beside this one. */
export function useConnectAccount(baseId: string) {
  const api = useApi()
  const client = useQueryClient()
  const { tellFault } = useToasts()
  return useMutation({
    mutationFn: async (given: { platform: SourceConnection['platform'] } | { again: string }) =>
      'again' in given
        ? await api.restartSourceConnection(given.again)
        : await api.startSourceConnection(baseId, given),
    onSuccess: async (started) => {
      window.open(started.authorize_url, '_blank', 'noopener')
      await client.invalidateQueries({ queryKey: ['source-connections', baseId] })
    },
    onError: tellFault,
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './session.ts'

/** A knowledge base. Undefined id: none is open. */
export function useKnowledgeBase(id: string | undefined) {
  const api = useApi()
  return useQuery({
    queryKey: ['knowledge-base', id],
    queryFn: ({ signal }) => api.getKnowledgeBase(id ?? '', { signal }),
    enabled: id !== undefined,
  })
}

/** Reads a base as it is now. If that fails, what the screen shows stays as it is. */
export function useReadAgain(id: string) {
  const api = useApi()
  const client = useQueryClient()
  return async () => {
    const now = await api.getKnowledgeBase(id)
    client.setQueryData(['knowledge-base', id], now)
    return now
  }
}

export function useKnowledgeBases(workspaceId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['knowledge-bases', workspaceId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(
        api.listKnowledgeBases({ workspace_id: workspaceId, limit: 100 }, { signal }).all(),
      ),
  })
}

export function useCreateKnowledgeBase(workspaceId: string) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: { name: string; type: 'external' | 'internal' }) =>
      api.createKnowledgeBase({ ...given, workspace_id: workspaceId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['knowledge-bases', workspaceId] }),
  })
}

/** A change of a base: its settings, or its life. What is shown afterwards is what the service answered. */
export function useBaseChange<Given>(
  id: string,
  change: (
    api: ReturnType<typeof useApi>,
    given: Given,
  ) => Promise<Awaited<ReturnType<ReturnType<typeof useApi>['getKnowledgeBase']>>>,
) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: Given) => change(api, given),
    onSuccess: async (base) => {
      client.setQueryData(['knowledge-base', id], base)
      // Lists that are not on the screen are read again when they are: until then they would still have it as it was.
      client.setQueriesData<(typeof base)[]>({ queryKey: ['knowledge-bases'] }, (list) =>
        list?.map((one) => (one.id === id ? base : one)),
      )
      // Its type, its life and its settings decide what its other lists are: which keys live, what is restricted, what is suggested.
      await client.invalidateQueries({
        predicate: ({ queryKey: [list, ...of] }) =>
          list === 'knowledge-bases' || (list !== 'knowledge-base' && of.includes(id)),
      })
    },
  })
}

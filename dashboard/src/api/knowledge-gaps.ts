import type { KnowledgeGapChange, KnowledgeGaps } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Days } from './analytics.ts'
import { useApi } from './session.ts'

export type GapStatus = KnowledgeGaps['data'][number]['status']

export function useKnowledgeGaps(baseId: string, of: Days & { status?: GapStatus }, isAllowed: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['knowledge-gaps', baseId, of],
    queryFn: ({ signal }) => api.listKnowledgeGaps(baseId, of, { signal }),
    enabled: isAllowed,
  })
}

export function useKnowledgeGap(gapId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['knowledge-gap', gapId],
    queryFn: ({ signal }) => api.getKnowledgeGap(gapId, { signal }),
  })
}

/** Changes a gap, and shows everywhere what the service answered. */
export function useGapChange(baseId: string) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...change }: KnowledgeGapChange & { id: string }) =>
      api.updateKnowledgeGap(id, change),
    onSuccess: async (_gap, { id }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['knowledge-gap', id] }),
        client.invalidateQueries({ queryKey: ['knowledge-gaps', baseId] }),
        client.invalidateQueries({ queryKey: ['analytics', baseId] }),
      ])
    },
  })
}

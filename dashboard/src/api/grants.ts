import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useToasts } from '../ui/toast.tsx'
import { useApi } from './session.ts'

export type GrantedPermission = 'config' | 'chat'

/** What single members may do with one base, beyond what every member may. */
export function useBaseGrants(baseId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['grants', 'base', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listKnowledgeBaseGrants(baseId, { limit: 100 }, { signal }).all()),
  })
}

/** The same on all bases of a workspace, for its owners and admins. */
export function useWorkspaceGrants(workspaceId: string, isEnabled: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['grants', 'workspace', workspaceId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listWorkspaceGrants(workspaceId, { limit: 100 }, { signal }).all()),
    enabled: isEnabled,
  })
}

/** Gives a member permissions on a base, in place of those that were given earlier; none takes them back. */
export function useGrant() {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  return useMutation({
    mutationFn: async (of: { baseId: string; userId: string; permissions: GrantedPermission[] }) =>
      of.permissions.length === 0
        ? await api.deleteKnowledgeBaseGrant(of.baseId, of.userId)
        : await api.putKnowledgeBaseGrant(of.baseId, of.userId, { permissions: of.permissions }),
    onSuccess: async () => {
      tell('The permissions were changed. They apply from the next request.')
      await client.invalidateQueries({ queryKey: ['grants'] })
    },
    onError: tellFault,
  })
}

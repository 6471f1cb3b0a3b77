import type { KnowledgeBase, Workspace, WorkspaceChange } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi, useSession } from './session.ts'

/** A workspace with its settings. */
export function useWorkspace(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => api.getWorkspace(id, { signal }),
  })
}

/** Whether the workspace of a base stores no questions and answers; undefined before that is known. */
export function useKeepsNothing(base: Pick<KnowledgeBase, 'workspace_id'> | undefined): boolean | undefined {
  const api = useApi()
  const id = base?.workspace_id
  const workspace = useQuery({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => api.getWorkspace(id ?? '', { signal }),
    enabled: id !== undefined,
  })
  return workspace.data?.zero_data_retention
}

/** Its plan in figures: questions of this month by knowledge base and surface, of the months before, and what is stored. */
export function useUsage(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['usage', id],
    queryFn: ({ signal }) => api.getWorkspaceUsage(id, { signal }),
  })
}

/** Reads a workspace as it is now. If that fails, what the screen shows stays as it is. */
export function useReadWorkspaceAgain(id: string) {
  const api = useApi()
  const client = useQueryClient()
  return async () => {
    const now = await api.getWorkspace(id)
    client.setQueryData(['workspace', id], now)
    return now
  }
}

/** Changes the settings of a workspace. What is shown afterwards is what the service answered. */
export function useWorkspaceChange(id: string) {
  const { api, readAgain } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: WorkspaceChange) => api.updateWorkspace(id, change),
    onSuccess: async (changed: Workspace) => {
      client.setQueryData(['workspace', id], changed)
      // Its name is also at the top of every screen.
      await readAgain()
    },
  })
}

/** What the person is in a workspace; undefined: no member of it. */
export function useOwnRole(workspaceId: string) {
  const { workspaces } = useSession().me
  return workspaces.find(({ id }) => id === workspaceId)?.role
}

/** Whether the person is an owner or admin of a workspace. */
export function useMayAdminister(workspaceId: string): boolean {
  const role = useOwnRole(workspaceId)
  return role === 'owner' || role === 'admin'
}

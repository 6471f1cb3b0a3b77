import { useQuery } from '@tanstack/react-query'
import { whoCan } from '../ui/who-can.ts'
import { useApi } from './session.ts'

/** The members of a workspace, and the people who are invited to it. */
export function useMembers(workspaceId: string | undefined) {
  const api = useApi()
  return useQuery({
    queryKey: ['members', workspaceId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listMembers(workspaceId ?? '', { limit: 100 }, { signal }).all()),
    enabled: workspaceId !== undefined,
    staleTime: 60_000,
  })
}

/** Who may do in a workspace what a member may not: “Ada or Grace can do this.” Undefined until it is known. */
export function useWhoCanIn(workspaceId: string | undefined): string | undefined {
  const members = useMembers(workspaceId)
  const able = members.data?.filter(({ role, status }) => role !== 'member' && status === 'active') ?? []
  return whoCan(able.map(({ name, email }) => (name || email).slice(0, 60)))
}

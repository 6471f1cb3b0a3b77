import { remembered } from '../ui/remembered.ts'
import { useSession } from './session.ts'

/** The workspace that was opened last in this browser, or the first; undefined for a member of none. */
export function useCurrentWorkspace() {
  const { workspaces } = useSession().me
  const last = remembered('workspace')
  return workspaces.find(({ id }) => id === last) ?? workspaces[0]
}

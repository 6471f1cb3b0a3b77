import { Navigate } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { Empty, Page } from '../ui/page.tsx'
import { remembered } from '../ui/remembered.ts'

/** The workspace that was opened last, or the first. */
export function Home() {
  const { workspaces } = useSession().me
  const last = remembered('workspace')
  const workspace = workspaces.find(({ id }) => id === last) ?? workspaces[0]
  if (workspace !== undefined) {
    return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.id }} replace />
  }
  return (
    <Page title="No workspace">
      <Empty says="You are not a member of a workspace. An owner or admin of one can invite you." />
    </Page>
  )
}

import { Navigate } from '@tanstack/react-router'
import { useCurrentWorkspace } from '../api/current-workspace.ts'
import { Empty, Page } from '../ui/page.tsx'

/** The workspace that was opened last, or the first. */
export function Home() {
  const workspace = useCurrentWorkspace()
  if (workspace !== undefined) {
    return <Navigate to="/w/$workspaceId" params={{ workspaceId: workspace.id }} replace />
  }
  return (
    <Page title="No workspace">
      <Empty says="You are not a member of a workspace. An owner or admin of one can invite you." />
    </Page>
  )
}

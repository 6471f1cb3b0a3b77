import { Link } from '@tanstack/react-router'
import { useCurrentInSight } from './use-current-in-sight.ts'
import classes from './workspace-tabs.module.css'

const TABS = [
  ['/w/$workspaceId', 'Knowledge bases'],
  ['/w/$workspaceId/members', 'Members'],
  ['/w/$workspaceId/activity', 'Activity log'],
  ['/w/$workspaceId/plan', 'Plan and usage'],
  ['/w/$workspaceId/settings', 'Settings'],
] as const

/** The screens of a workspace. */
export function WorkspaceTabs({ workspaceId }: { workspaceId: string }) {
  const list = useCurrentInSight()
  return (
    <nav ref={list} aria-label="Workspace" className={classes['tabs']}>
      {TABS.map(([to, label]) => (
        <Link key={to} to={to} params={{ workspaceId }} activeOptions={{ exact: true }}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

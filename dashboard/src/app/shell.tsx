import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { useKnowledgeBase } from '../api/knowledge-bases.ts'
import { AccountMenu } from './account-menu.tsx'
import classes from './shell.module.css'

/** Where one is: the workspace, and the knowledge base within it. */
function Crumbs() {
  const { workspaces } = useSession().me
  const { baseId, workspaceId } = useParams({ strict: false })
  const base = useKnowledgeBase(baseId)
  const id = base.data?.workspace_id ?? workspaceId
  const workspace = workspaces.find((one) => one.id === id) ?? workspaces[0]
  return (
    <nav aria-label="Where you are" className={classes['crumbs']}>
      {workspace !== undefined && (
        <Link to="/w/$workspaceId" params={{ workspaceId: workspace.id }}>
          {workspace.name}
        </Link>
      )}
      {base.data !== undefined && (
        <>
          <span aria-hidden="true">/</span>
          <Link to="/kb/$baseId" params={{ baseId: base.data.id }}>
            {base.data.name}
          </Link>
        </>
      )}
    </nav>
  )
}

/** What surrounds every screen. */
export function Shell() {
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <header className={classes['top']}>
        <Link to="/" className={classes['brand']}>
          <span aria-hidden="true">”</span>
          Citewell
        </Link>
        <Crumbs />
        <Link to="/ask/{-$threadId}" params={{}} className={classes['ask']}>
          Ask
        </Link>
        <AccountMenu />
      </header>
      <Outlet />
    </div>
  )
}

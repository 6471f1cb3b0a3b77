import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCurrentWorkspace } from '../api/current-workspace.ts'
import { useSession } from '../api/session.ts'
import { useKnowledgeBase } from '../api/knowledge-bases.ts'
import { useWhoCanIn } from '../api/members.ts'
import { remember } from '../ui/remembered.ts'
import { useWhoCan, WhoCanProvider } from '../ui/who-can.ts'
import { AccountMenu } from './account-menu.tsx'
import { FocusKeeper } from './focus-keeper.tsx'
import { Keyboard, OPEN_PALETTE } from './keyboard.tsx'
import classes from './shell.module.css'
import { ScreenTeller } from './screen-teller.tsx'
import { paletteKeys } from './shortcuts.ts'
import { SignedOutNotice } from './signed-out-notice.tsx'
import { WorkspaceSwitch } from './workspace-switch.tsx'

/** The workspace and the knowledge base of the screen. A screen of none, such as Ask, is of the one that was open last. */
function usePlace() {
  const { workspaces } = useSession().me
  const { baseId, workspaceId } = useParams({ strict: false })
  const last = useCurrentWorkspace()
  const base = useKnowledgeBase(baseId)
  const id = base.data?.workspace_id ?? workspaceId
  const opened = workspaces.find((one) => one.id === id)
  return { base, opened, workspace: opened ?? last }
}

/** Where one is: the workspace, and the knowledge base within it. */
function Crumbs() {
  const { base, workspace } = usePlace()
  return (
    <nav aria-label="Breadcrumbs" className={classes['crumbs']}>
      {workspace !== undefined && (
        <Link to="/w/$workspaceId" params={{ workspaceId: workspace.id }}>
          {workspace.name}
        </Link>
      )}
      {workspace !== undefined && <WorkspaceSwitch openId={workspace.id} />}
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
  const { opened, workspace } = usePlace()
  const unknown = useWhoCan()
  const openedId = opened?.id
  // Also where only one of its knowledge bases was opened: what is asked or made next belongs to it.
  useEffect(() => {
    if (openedId !== undefined) remember('workspace', openedId)
  }, [openedId])
  return (
    <WhoCanProvider value={useWhoCanIn(workspace?.id) ?? unknown}>
      <div className={classes['shell']}>
        <a className={classes['skip']} href="#content">
          Skip to the content
        </a>
        <header className={classes['top']}>
          <Link to="/" className={classes['brand']}>
            <span aria-hidden="true">”</span>
            <strong className={classes['brandName']}>Citewell</strong>
          </Link>
          <Crumbs />
          <Link to="/ask/{-$threadId}" params={{ threadId: undefined }} className={classes['ask']}>
            Ask
          </Link>
          <button
            type="button"
            className={classes['find']}
            onClick={() => document.dispatchEvent(new Event(OPEN_PALETTE))}
          >
            Find <kbd>{paletteKeys()}</kbd>
          </button>
          <AccountMenu />
        </header>
        <Outlet />
        <SignedOutNotice />
        <Keyboard />
        <ScreenTeller />
        <FocusKeeper />
      </div>
    </WhoCanProvider>
  )
}

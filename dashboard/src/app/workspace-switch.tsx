import * as Ariakit from '@ariakit/react'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import classes from './account-menu.module.css'

/** The way to another workspace, for those who are in several. */
export function WorkspaceSwitch({ openId }: { openId: string }) {
  const { workspaces } = useSession().me
  const navigate = useNavigate()
  if (workspaces.length < 2) return null
  return (
    <Ariakit.MenuProvider>
      <Ariakit.MenuButton className={classes['button']} aria-label="Switch the workspace">
        <span aria-hidden="true">▾</span>
      </Ariakit.MenuButton>
      <Ariakit.Menu gutter={4} unmountOnHide className={classes['menu']}>
        {workspaces.map(({ id, name, role }) => (
          <Ariakit.MenuItem
            key={id}
            className={classes['item']}
            aria-current={id === openId ? 'true' : undefined}
            onClick={() => void navigate({ to: '/w/$workspaceId', params: { workspaceId: id } })}
          >
            {name} <small>{id === openId ? 'open' : role}</small>
          </Ariakit.MenuItem>
        ))}
      </Ariakit.Menu>
    </Ariakit.MenuProvider>
  )
}

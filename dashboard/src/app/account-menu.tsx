import * as Ariakit from '@ariakit/react'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useSession } from '../api/session.ts'
import classes from './account-menu.module.css'
import { beginningOf } from '../ui/beginning-of.ts'

/** The signed-in person: their other workspaces, their own settings, and the way out. */
export function AccountMenu() {
  const {
    me: { user },
    csrf,
  } = useSession()
  const leaving = useRef<HTMLFormElement>(null)
  const token = useRef<HTMLInputElement>(null)
  function signOut(): void {
    if (token.current !== null) token.current.value = csrf()
    leaving.current?.submit()
  }
  const navigate = useNavigate()
  return (
    <Ariakit.MenuProvider>
      <Ariakit.MenuButton
        className={classes['button']}
        aria-label={`Your account: ${user.name || user.email}`}
      >
        {beginningOf(user.name || user.email, 24)} <span aria-hidden="true">▾</span>
      </Ariakit.MenuButton>
      <Ariakit.Menu gutter={4} unmountOnHide className={classes['menu']}>
        <Ariakit.MenuItem className={classes['item']} onClick={() => void navigate({ to: '/me' })}>
          Your settings
        </Ariakit.MenuItem>
        <Ariakit.MenuItem className={classes['item']} render={<a href="/docs" />}>
          API reference
        </Ariakit.MenuItem>
        <Ariakit.MenuItem className={classes['item']} onClick={signOut}>
          Sign out
        </Ariakit.MenuItem>
      </Ariakit.Menu>
      <form ref={leaving} method="post" action="/sign-out" hidden>
        <input ref={token} type="hidden" name="csrf" />
      </form>
    </Ariakit.MenuProvider>
  )
}

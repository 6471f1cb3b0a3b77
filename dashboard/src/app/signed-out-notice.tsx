import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { goToSignIn, isSignedOut, signInAddress, useSession } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Banner } from '../ui/status.tsx'
import { useToasts } from '../ui/toast.tsx'
import { isSomethingTyped } from '../ui/typed-text.ts'
import classes from './signed-out-notice.module.css'

/** How often this asks whether the person has signed in again, while it is shown. */
const ASK_AGAIN_MS = 4_000

/** Tells when a read or a change found that the session is over. */
function useSignedOut(): readonly [isOut: boolean, goOn: () => void] {
  const client = useQueryClient()
  const [isOut, setOut] = useState(false)
  useEffect(() => {
    const stopReads = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error' || !isSignedOut(event.action.error))
        return
      if (isSomethingTyped()) setOut(true)
      else goToSignIn()
    })
    const stopChanges = client.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      if (isSignedOut(event.action.error)) setOut(true)
    })
    return () => {
      stopReads()
      stopChanges()
    }
  }, [client])
  return [isOut, useCallback(() => setOut(false), [])]
}

/**
 * What is shown when the session ends while somebody works: the page stays as it is, with what was typed, and goes on when the same person
 * has signed in again in another tab. Where nothing was typed, the sign-in page follows directly.
 */
export function SignedOutNotice() {
  const { me, renew } = useSession()
  const client = useQueryClient()
  const { tell } = useToasts()
  const [isOut, goOn] = useSignedOut()
  const [other, setOther] = useState(false)

  useEffect(() => {
    if (!isOut) return
    let isOver = false
    async function look(): Promise<void> {
      if (document.visibilityState === 'hidden') return
      const found = await renew().catch(() => 'nobody' as const)
      if (isOver) return
      setOther(found === 'other')
      if (found !== 'same') return
      goOn()
      tell('You are signed in again. Nothing that you typed is lost: try again.')
      await client.invalidateQueries()
    }
    const now = () => void look()
    now()
    const timer = setInterval(now, ASK_AGAIN_MS)
    window.addEventListener('focus', now)
    document.addEventListener('visibilitychange', now)
    return () => {
      isOver = true
      clearInterval(timer)
      window.removeEventListener('focus', now)
      document.removeEventListener('visibilitychange', now)
    }
  }, [client, goOn, isOut, renew, tell])

  if (!isOut) return null
  return (
    <div className={classes['notice']} data-stays-reachable="">
      <Banner
        tone="danger"
        action={other ? <Button onClick={() => location.reload()}>Load the page again</Button> : undefined}
      >
        {other ? (
          <>
            Somebody else is signed in in this browser now.{' '}
            {isSomethingTyped() && 'Copy what you typed. Then load the page again.'}
          </>
        ) : (
          <>
            You are signed out. {isSomethingTyped() && 'What you typed is still here. '}
            <a href={signInAddress()} target="_blank" rel="noreferrer">
              Sign in as {me.user.email} in a new tab
            </a>
            , come back, and do it once more.
          </>
        )}
      </Banner>
    </div>
  )
}

import { createManagement, CitewellError, type Management, type Me } from '@citewell/sdk/management'
import { createContext, createElement, use, useMemo, useState, type ReactNode } from 'react'
import { createOwnFetch, type SentChange, type SessionState } from './own-fetch.ts'

/** The session, as it was when the page was loaded. */
export interface OpenedSession {
  me: Me
  api: Management
  /** What this page changed, the latest first. */
  changes: readonly SentChange[]
  /** The CSRF token of now. */
  csrf: () => string
  /** Reads who is signed in now, and goes on with that session if it is the same person. */
  renew: () => Promise<'same' | 'other' | 'nobody'>
}

export interface Session extends OpenedSession {
  /** Reads again who one is and in which workspaces, after something of it was changed here. */
  readAgain: () => Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ session, children }: { session: OpenedSession; children: ReactNode }) {
  const [me, setMe] = useState(session.me)
  const value = useMemo(
    () => ({
      ...session,
      me,
      readAgain: async () => {
        // What is shown stays as it is, if it cannot be read: the change itself is stored.
        const now = await readMe().catch(() => undefined)
        if (now?.user.id === session.me.user.id) setMe(now)
      },
    }),
    [session, me],
  )
  return createElement(SessionContext, { value }, children)
}

/** Who is signed in, and the management API with their session. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('There is no session above this component.')
  return session
}

export const useApi = (): Management => useSession().api

/** The address of the sign-in page, and from there back to this one. */
export const signInAddress = (): string =>
  `/sign-in?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`

let isLeaving = false

/** To the sign-in page, and back to this one. Several reads that fail at the same time lead there once. */
export function goToSignIn(): void {
  if (isLeaving) return
  isLeaving = true
  // The browser may keep this page and show it again as it was.
  window.addEventListener('pageshow', () => (isLeaving = false), { once: true })
  location.assign(signInAddress())
}

/** Whether the session is over. */
export const isSignedOut = (error: unknown): boolean => error instanceof CitewellError && error.status === 401

const readMe = async (): Promise<Me | undefined> => {
  try {
    return await createManagement({ endpoint: location.origin, csrf: '' }).getMe()
  } catch (error) {
    if (isSignedOut(error)) return undefined
    throw error
  }
}

const stateOf = ({ user, session }: Me): SessionState => ({ userId: user.id, csrf: session?.csrf ?? '' })

/** Reads who is signed in. Undefined: nobody. */
export async function openSession(): Promise<OpenedSession | undefined> {
  const me = await readMe()
  if (me === undefined) return undefined
  const state = { current: stateOf(me) }
  const { ownFetch, changes } = createOwnFetch(state, async () => {
    const now = await readMe()
    return now === undefined ? undefined : stateOf(now)
  })
  return {
    me,
    api: createManagement({ endpoint: location.origin, csrf: me.session?.csrf, fetch: ownFetch }),
    changes,
    csrf: () => state.current.csrf,
    renew: async () => {
      const now = await readMe()
      if (now === undefined) return 'nobody'
      if (now.user.id !== me.user.id) return 'other'
      state.current = stateOf(now)
      return 'same'
    },
  }
}

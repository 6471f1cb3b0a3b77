import { createManagement, CitewellError, type Management, type Me } from '@citewell/sdk/management'
import { createContext, use } from 'react'

export interface Session {
  me: Me
  api: Management
}

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

/** Who is signed in, and the management API with their session. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('There is no session above this component.')
  return session
}

export const useApi = (): Management => useSession().api

/** To the sign-in page, and back to this one. */
export function goToSignIn(): void {
  const to = `${location.pathname}${location.search}`
  location.assign(`/sign-in?to=${encodeURIComponent(to)}`)
}

/** Whether the session is over. Whoever works with the app is then sent to sign in, and comes back to where they were. */
export const isSignedOut = (error: unknown): boolean => error instanceof CitewellError && error.status === 401

/** Reads who is signed in. Undefined: nobody. */
export async function openSession(): Promise<Session | undefined> {
  const endpoint = location.origin
  try {
    const me = await createManagement({ endpoint, csrf: '' }).getMe()
    return { me, api: createManagement({ endpoint, csrf: me.session?.csrf }) }
  } catch (error) {
    if (isSignedOut(error)) return undefined
    throw error
  }
}

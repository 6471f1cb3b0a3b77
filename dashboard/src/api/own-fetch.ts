/** A change that this page sent, as it can be repeated elsewhere. */
export interface SentChange {
  method: string
  /** From `/api/v1`. */
  path: string
  /** JSON; undefined if it had none. */
  body: string | undefined
}

/** The CSRF token of the session, and the person it belongs to. Both change when somebody signs in in another tab. */
export interface SessionState {
  csrf: string
  userId: string
}

/** Reads the session of this browser now. Undefined: nobody is signed in. */
export type ReadSession = () => Promise<SessionState | undefined>

/** For this page, its own session is over. */
const sessionOfAnother = (): Response =>
  Response.json(
    { error: 'Somebody else is signed in in this browser now.', code: 'UNAUTHENTICATED', retryable: false },
    { status: 401 },
  )

/** Changes kept for "copy as curl". */
const KEPT_CHANGES = 20

/**
 * The `fetch` of the management client. A change that is refused with 403 is sent once more, if the same person has signed in again in
 * another tab meanwhile: the CSRF token is then another one. Nothing is sent again in the name of another person.
 *
 * @param state - the session; replaced when it is another one
 */
export function createOwnFetch(
  state: { current: SessionState },
  readSession: ReadSession,
  send: typeof fetch = (...given) => fetch(...given),
) {
  const changes: SentChange[] = []
  const withToken = (init: RequestInit | undefined, csrf: string): RequestInit => {
    const headers = new Headers(init?.headers)
    headers.set('x-citewell-csrf', csrf)
    return { ...init, headers }
  }
  /** A look at the session that is under way: changes that are refused at the same time share it. */
  let looking: Promise<SessionState | undefined> | undefined

  /** What the session of this browser is now, after a change with this token was refused. */
  async function renew(refusedToken: string): Promise<'unchanged' | 'renewed' | 'of another person'> {
    // Another change was refused before, and has found the new token meanwhile.
    if (state.current.csrf !== refusedToken) return 'renewed'
    looking ??= readSession()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
      })
    const now = await looking
    if (now === undefined || now.csrf === refusedToken) return 'unchanged'
    if (now.userId !== state.current.userId) return 'of another person'
    state.current = now
    return 'renewed'
  }

  async function ownFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const method = init?.method ?? 'GET'
    const { csrf } = state.current
    if (method === 'GET') return await send(input, withToken(init, csrf))
    const address = new URL(input instanceof Request ? input.url : input, 'https://unused.invalid')
    const body = typeof init?.body === 'string' ? init.body : undefined
    changes.unshift({ method, path: `${address.pathname}${address.search}`, body })
    changes.length = Math.min(changes.length, KEPT_CHANGES)
    const response = await send(input, withToken(init, csrf))
    if (response.status !== 403) return response
    const session = await renew(csrf)
    if (session === 'unchanged') return response
    await response.body?.cancel()
    return session === 'renewed' ? await send(input, withToken(init, state.current.csrf)) : sessionOfAnother()
  }

  return { ownFetch, changes: changes as readonly SentChange[] }
}

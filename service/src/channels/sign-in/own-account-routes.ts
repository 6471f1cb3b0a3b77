import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { OwnAccount } from '../../accounts/members/members.ts'
import type { Passwords } from '../../accounts/passwords/passwords.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { Workspaces } from '../../accounts/workspaces/workspaces.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { RequestSource } from '../../platform/http/request-source.ts'
import type { OwnPasswordCheck } from './own-password.ts'

const endpoint = endpointsFor<'access-token', Caller>()

/** How long after signing in a browser counts as the person themselves, if the account has no password. */
const RECENT_MS = 10 * 60 * 1_000

export interface OwnAccountRoutesDeps {
  ownAccount: OwnAccount
  passwords: Pick<Passwords, 'has'>
  workspaces: Pick<Workspaces, 'me'>
  isOwnPassword: OwnPasswordCheck
  /** The client address, considering trusted proxies; empty if it is unknown. */
  addressOf: (source: RequestSource) => string
  now: () => Date
}

/** Deleting one's own account, after proving that it is one's own: an open browser or a stolen token is not enough. */
export function createOwnAccountRoutes(deps: OwnAccountRoutesDeps) {
  async function requirePerson(
    caller: Caller,
    given: { password: string | undefined; from: string; signal: AbortSignal },
  ): Promise<void> {
    if (!(await deps.passwords.has(caller.userId))) return requireRecentSession(caller)
    if (given.password === undefined) {
      const message = 'is needed to delete your account'
      throw new Refusal('BAD_REQUEST', { details: [{ path: 'password', message }] })
    }
    const { user } = await deps.workspaces.me(caller)
    const tried = { ...given, password: given.password, userId: user.id, email: user.email }
    if (!(await deps.isOwnPassword({ ...tried, sessionId: caller.session?.id })))
      throw new Refusal('FORBIDDEN', { because: 'The password is wrong.' })
  }

  function requireRecentSession({ session }: Caller): void {
    if (session !== undefined && deps.now().getTime() - session.begunAt.getTime() <= RECENT_MS) return
    throw new Refusal('FORBIDDEN', {
      because:
        'Your account has no password. Sign out, sign in again with your provider, and delete the account in that browser within ten minutes.',
    })
  }

  return [
    endpoint(
      ENDPOINTS.deleteMe,
      async ({ caller, body: { password }, signal, clientAddress, forwardedFor }) => {
        const from = deps.addressOf({ clientAddress, forwardedFor })
        await deps.ownAccount.remove(
          caller,
          async () => await requirePerson(caller, { password, from, signal }),
        )
      },
    ),
  ]
}

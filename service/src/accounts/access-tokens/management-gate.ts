import type { Endpoint } from '@citewell/contract/endpoint'
import { Refusal } from '../../kernel/refusal.ts'
import { isEqualInConstantTime } from '../../kernel/secrets.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'
import type { Gate } from '../../platform/http/endpoint.ts'
import { isSameOrigin } from '../../platform/http/same-origin.ts'
import { hasScope, type Caller } from '../permissions/permissions.ts'

/** The header with the CSRF token of a session, which `GET /me` returns. Pages of other sites cannot read it. */
const CSRF_HEADER = 'x-citewell-csrf'

export interface ManagementGateDeps {
  /** Resolves an access token, or throws UNAUTHENTICATED. */
  authenticate: (bearer: string) => Promise<Caller>
  /** The member who is signed in with the browser that sent these headers. */
  callerOfSession: (headers: Headers) => Promise<Caller | undefined>
  /** Public URL of the service, without a trailing slash. */
  publicUrl: () => string
}

/** Refuses a request that another site made the browser send (CSRF): it comes with the cookie all the same. */
function requireOwnPage({ headers, method }: Request, caller: Caller, publicUrl: string): void {
  if (!isSameOrigin(headers, publicUrl))
    throw new Refusal('FORBIDDEN', { because: 'This was sent from a page of another site.' })
  // A read needs no token: other sites cannot see its answer, and `GET /me` is where the token comes from.
  if (method === 'GET' || method === 'HEAD') return
  if (!isEqualInConstantTime(caller.session?.csrf ?? '', headers.get(CSRF_HEADER)))
    throw new Refusal('FORBIDDEN', {
      because:
        'The page is out of date. Send the CSRF token of GET /api/v1/me in the header X-Citewell-Csrf.',
    })
}

/** What an access token must have for this endpoint. A session has every scope, and is never the operator's. */
function requireReach(caller: Caller, endpoint: Endpoint): void {
  if (endpoint.caller !== 'access-token') return
  if (!hasScope(caller, endpoint.scope))
    throw new Refusal('FORBIDDEN', {
      because: `This needs an access token with the scope ${endpoint.scope}.`,
    })
  if (endpoint.permission === 'operate' && caller.isOperator !== true)
    throw new Refusal('FORBIDDEN', {
      because: 'Only the operator of the instance may do this. Use the operator token.',
    })
}

/**
 * Authenticates every management endpoint: by the bearer token, or, if none is sent, by the session of a signed-in browser. It checks the
 * scope that the endpoint requires. What the person may do with a particular record is checked by the room that owns the record.
 */
export function createManagementGate(deps: ManagementGateDeps): Gate<Caller> {
  return async ({ request, endpoint }) => {
    const bearer = bearerOf(request.headers)
    const isWithoutCredentials = bearer === undefined && request.headers.get('authorization') === null
    const caller =
      bearer !== undefined
        ? await deps.authenticate(bearer)
        : isWithoutCredentials
          ? await deps.callerOfSession(request.headers)
          : undefined
    if (caller === undefined)
      throw new Refusal('UNAUTHENTICATED', {
        because: 'Send an access token ("Authorization: Bearer cw_pat_…"), or sign in.',
      })
    if (caller.session !== undefined) requireOwnPage(request, caller, deps.publicUrl())
    requireReach(caller, endpoint)
    return caller
  }
}

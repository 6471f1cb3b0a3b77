import { Refusal } from '../../kernel/refusal.ts'
import { bearerOf } from '../../platform/http/bearer-token.ts'
import type { Gate } from '../../platform/http/endpoint.ts'
import { hasScope, type Caller } from '../permissions/permissions.ts'

/**
 * Authenticates every management endpoint: resolves the bearer token and checks that it has the scope which the endpoint requires.
 * What the person may do with a particular record is checked by the room that owns the record.
 */
export function createAccessTokenGate(authenticate: (bearer: string) => Promise<Caller>): Gate<Caller> {
  return async ({ request, endpoint }) => {
    const bearer = bearerOf(request.headers)
    if (bearer === undefined) {
      throw new Refusal('UNAUTHENTICATED', {
        because: 'Send an access token: "Authorization: Bearer cw_pat_…".',
      })
    }
    const caller = await authenticate(bearer)
    if (endpoint.caller === 'access-token' && !hasScope(caller, endpoint.scope)) {
      throw new Refusal('FORBIDDEN', {
        because: `This needs an access token with the scope ${endpoint.scope}.`,
      })
    }
    if (
      endpoint.caller === 'access-token' &&
      endpoint.permission === 'operate' &&
      caller.isOperator !== true
    ) {
      throw new Refusal('FORBIDDEN', {
        because: 'Only the operator of the instance may do this. Use the operator token.',
      })
    }
    return caller
  }
}

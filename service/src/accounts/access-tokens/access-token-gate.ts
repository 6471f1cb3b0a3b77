import { Refusal } from '../../kernel/refusal.ts'
import type { Gate } from '../../platform/http/endpoint.ts'
import { hasScope, type Caller } from '../permissions/permissions.ts'

/**
 * The gate of every management endpoint: who holds the bearer token, if it has the scope that the endpoint needs. What the
 * person may do with the record in question is for the room that has it.
 */
export function createAccessTokenGate(authenticate: (bearer: string) => Promise<Caller>): Gate<Caller> {
  return async ({ request, endpoint }) => {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
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
      throw new Refusal('FORBIDDEN', { because: 'This is for whoever operates the instance.' })
    }
    return caller
  }
}

import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import type { Passwords } from './passwords.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export interface PasswordRoutesDeps {
  passwords: Pick<Passwords, 'makeLink'>
  /** Public URL of the service, without a trailing slash. */
  publicUrl: () => string
}

export const passwordRoutes = ({ passwords, publicUrl }: PasswordRoutesDeps) => [
  endpoint(ENDPOINTS.createPasswordLink, async ({ caller, body }) => {
    const { code, email, expiresAt } = await passwords.makeLink(caller, body.email)
    const url = `${publicUrl()}/set-password?code=${code}`
    return { email, url, expires_at: expiresAt.toISOString() }
  }),
]

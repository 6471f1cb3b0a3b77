import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { PlatformHooks, VerifiedDelivery } from './platform-hooks.ts'

export function platformHookRoutes<Incoming>(hooks: Pick<PlatformHooks<Incoming>, 'receive'>) {
  const endpoint = endpointsFor<'platform', VerifiedDelivery<Incoming>>()
  return [endpoint(ENDPOINTS.receiveFromPlatform, ({ caller }) => hooks.receive(caller))]
}

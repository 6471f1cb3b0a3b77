import { ENDPOINTS } from '@citewell/contract/endpoints'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type Route } from '../http/endpoint.ts'
import type { Metrics } from './metrics.ts'
import { readReadiness, type ReadinessDeps } from './readiness.ts'

const endpoint = endpointsFor<'nobody', undefined>()

export interface HealthDeps extends ReadinessDeps {
  metrics: Metrics
  /** Why a new process would do better than this one; undefined as long as it would not. */
  faultOfProcess: () => Promise<string | undefined>
}

/** `/healthz`, `/readyz` and `/metrics`: open to everyone who reaches the port, and without any figure of a tenant. */
export function createHealthRoutes({
  metrics,
  faultOfProcess,
  ...readiness
}: HealthDeps): Route<'nobody', undefined>[] {
  return [
    endpoint(ENDPOINTS.getHealth, async () => {
      const fault = await faultOfProcess()
      if (fault !== undefined) throw new Refusal('UNAVAILABLE', { because: fault })
      return { status: 'alive' as const }
    }),
    endpoint(ENDPOINTS.getReadiness, () => readReadiness(readiness)),
    endpoint(ENDPOINTS.getMetrics, () => metrics.text()),
  ]
}

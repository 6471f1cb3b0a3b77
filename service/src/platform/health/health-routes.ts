import { ENDPOINTS } from '@citewell/contract/endpoints'
import { endpointsFor, type Route } from '../http/endpoint.ts'
import type { Metrics } from './metrics.ts'
import { readReadiness, type ReadinessDeps } from './readiness.ts'

const endpoint = endpointsFor<'nobody', undefined>()

export interface HealthDeps extends ReadinessDeps {
  metrics: Metrics
}

/** `/healthz`, `/readyz` and `/metrics`: open to everyone who reaches the port, and without any figure of a tenant. */
export function createHealthRoutes({ metrics, ...readiness }: HealthDeps): Route<'nobody', undefined>[] {
  return [
    endpoint(ENDPOINTS.getHealth, () => ({ status: 'alive' as const })),
    endpoint(ENDPOINTS.getReadiness, () => readReadiness(readiness)),
    endpoint(ENDPOINTS.getMetrics, () => metrics.text()),
  ]
}

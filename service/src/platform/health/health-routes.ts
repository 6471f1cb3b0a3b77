import { ENDPOINTS } from '@citewell/contract/endpoints'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type Route } from '../http/endpoint.ts'
import type { Metrics } from './metrics.ts'
import { isMonitoringClient } from './is-monitoring-client.ts'
import { cacheFor } from './cache-for.ts'
import { withoutDetails, readReadiness, requireRunning, type ReadinessDeps } from './readiness.ts'

const endpoint = endpointsFor<'nobody', undefined>()

export interface HealthDeps extends ReadinessDeps {
  metrics: Metrics
  /** Why this process needs a restart; undefined as long as it does not. */
  restartReason: () => Promise<string | undefined>
  /** The token for reading metrics and details; undefined: only callers on this machine may read them. */
  metricsToken: string | undefined
}

/** The checks and metrics are computed at most once in this time, however often they are requested. */
const CACHE_MS = 1_000

/**
 * `/healthz`, `/readyz` and `/metrics`, without any figure of a tenant. Every caller learns whether the process is alive and ready;
 * details and metrics are for monitoring clients only.
 */
export function createHealthRoutes({
  metrics,
  restartReason,
  metricsToken,
  ...readiness
}: HealthDeps): Route<'nobody', undefined>[] {
  const ready = cacheFor(CACHE_MS, async () => await readReadiness(readiness))
  const figures = cacheFor(CACHE_MS, async () => await metrics.text())
  return [
    endpoint(ENDPOINTS.getHealth, async () => {
      const reason = await restartReason()
      if (reason !== undefined) throw new Refusal('UNAVAILABLE', { because: reason })
      return { status: 'alive' as const }
    }),
    endpoint(ENDPOINTS.getReadiness, async (asked) => {
      requireRunning(readiness)
      return await (isMonitoringClient(asked, metricsToken) ? ready() : withoutDetails(ready))
    }),
    endpoint(ENDPOINTS.getMetrics, async (asked) => {
      if (isMonitoringClient(asked, metricsToken)) return await figures()
      throw new Refusal('FORBIDDEN', {
        because:
          'Metrics are only available on this machine. From elsewhere, send the token that is set as CITEWELL_METRICS_TOKEN: "Authorization: Bearer …".',
      })
    }),
  ]
}

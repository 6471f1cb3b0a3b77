import { ENDPOINTS } from '@citewell/contract/endpoints'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor, type Route } from '../http/endpoint.ts'
import type { Metrics } from './metrics.ts'
import { isWatcher } from './is-watcher.ts'
import { keepFor } from './keep-for.ts'
import { forStrangers, readReadiness, requireRunning, type ReadinessDeps } from './readiness.ts'

const endpoint = endpointsFor<'nobody', undefined>()

export interface HealthDeps extends ReadinessDeps {
  metrics: Metrics
  /** Why this process needs a restart; undefined as long as it does not. */
  faultOfProcess: () => Promise<string | undefined>
  /** The token for reading metrics and details; undefined: only callers on this machine may read them. */
  watcherToken: string | undefined
}

/** The checks and metrics are computed at most once in this time, however often they are requested. */
const KEPT_MS = 1_000

/**
 * `/healthz`, `/readyz` and `/metrics`, without any figure of a tenant. Every caller learns whether the process is alive and ready;
 * details and metrics are for monitoring clients only.
 */
export function createHealthRoutes({
  metrics,
  faultOfProcess,
  watcherToken,
  ...readiness
}: HealthDeps): Route<'nobody', undefined>[] {
  const ready = keepFor(KEPT_MS, async () => await readReadiness(readiness))
  const figures = keepFor(KEPT_MS, async () => await metrics.text())
  return [
    endpoint(ENDPOINTS.getHealth, async () => {
      const fault = await faultOfProcess()
      if (fault !== undefined) throw new Refusal('UNAVAILABLE', { because: fault })
      return { status: 'alive' as const }
    }),
    endpoint(ENDPOINTS.getReadiness, async (asked) => {
      requireRunning(readiness)
      return await (isWatcher(asked, watcherToken) ? ready() : forStrangers(ready))
    }),
    endpoint(ENDPOINTS.getMetrics, async (asked) => {
      if (isWatcher(asked, watcherToken)) return await figures()
      throw new Refusal('FORBIDDEN', {
        because:
          'Metrics are only available on this machine. From elsewhere, send the token that is set as CITEWELL_METRICS_TOKEN: "Authorization: Bearer …".',
      })
    }),
  ]
}

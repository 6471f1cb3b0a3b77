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
  /** Why a new process would do better than this one; undefined as long as it would not. */
  faultOfProcess: () => Promise<string | undefined>
  /** Shows who may read figures and details; undefined: who is on this machine. */
  watcherToken: string | undefined
}

/** What the checks and figures cost is paid once in so long, however often they are asked for. */
const KEPT_MS = 1_000

/**
 * `/healthz`, `/readyz` and `/metrics`, without any figure of a tenant. Everybody who reaches the port is told whether the process is
 * alive and ready; details and figures are for whoever watches it.
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
          'Figures are for this machine alone. From elsewhere, send the token that is set as CITEWELL_METRICS_TOKEN: "Authorization: Bearer …".',
      })
    }),
  ]
}

import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { createHttpApp } from '../http/http-app.ts'
import { createOpenStreams } from '../http/open-streams.ts'
import { createRoutes } from '../http/routes.ts'
import { createHealthRoutes, type HealthDeps } from './health-routes.ts'
import { createMetrics } from './metrics.ts'

function healthApp(given: Partial<HealthDeps> = {}) {
  const metrics = createMetrics()
  const noGate = () => Promise.reject(new Error('nobody passes here'))
  const app = createHttpApp({
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    publicUrl: 'http://127.0.0.1',
    openStreams: createOpenStreams(),
    isStopping: () => false,
    onAnswered: metrics.observeRequest,
    routes: createRoutes({
      authenticate: { 'access-token': noGate, 'public-key': noGate },
      routes: createHealthRoutes({
        metrics,
        checks: {},
        isStopping: () => false,
        faultOfProcess: () => Promise.resolve(undefined),
        ...given,
      }),
      checksAnswers: true,
    }),
  })
  return { app, metrics }
}

verifies('running.healthz', 'a process that runs is alive', async () => {
  const { app } = healthApp()

  expect(await (await app.request('/healthz')).json()).toEqual({ status: 'alive' })
})

verifies('running.readyz', 'it is ready when nothing is down, and says what is degraded', async () => {
  const { app } = healthApp({
    checks: {
      storage: () => ({ is: 'up' }),
      model: async () => ({ is: 'degraded', because: 'words alone are searched' }),
    },
  })

  const response = await app.request('/readyz')

  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    status: 'ready',
    checks: { storage: 'up', model: 'degraded' },
    notices: ['model: words alone are searched'],
  })
})

verifies(
  ['running.readyz', 'errors.unavailable'],
  'it is not ready when something is down, and says what, but not what it threw',
  async () => {
    const { app } = healthApp({
      checks: {
        storage: () => Promise.reject(new Error('connect to secret-host failed')),
        queue: () => ({ is: 'down', because: 'is not started' }),
        model: () => ({ is: 'up' }),
      },
    })

    const response = await app.request('/readyz')
    const body = await response.text()

    expect(response.status).toBe(503)
    expect(JSON.parse(body)).toMatchObject({
      code: 'UNAVAILABLE',
      error: 'Not ready: storage, queue.',
      details: [
        { path: 'storage', message: 'does not answer' },
        { path: 'queue', message: 'is not started' },
      ],
    })
    expect(body).not.toContain('secret-host')
  },
)

verifies(
  'running.healthz',
  'a process that cannot come back by itself says that it is not alive',
  async () => {
    const { app } = healthApp({ faultOfProcess: () => Promise.resolve('The storage does not open.') })

    const response = await app.request('/healthz')

    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE', error: 'The storage does not open.' })
  },
)

test('it is not ready once it stops', async () => {
  const { app } = healthApp({ isStopping: () => true })

  expect((await app.request('/readyz')).status).toBe(503)
  expect((await app.request('/healthz')).status).toBe(200)
})

verifies(
  'running.metrics',
  'the metrics have the requests by pattern and status, the process, and what rooms add',
  async () => {
    const { app, metrics } = healthApp()
    metrics.counter('answers_total', 'Answers.', ['covered'])({ covered: 'yes' })
    metrics.gauge('open_streams', 'Streams.', () => 3)
    metrics.duration('search_duration_seconds', 'Searches.', ['mode'])({ mode: 'hybrid' }, 0.03)
    await app.request('/healthz')
    await app.request('/some/made-up/address')
    await app.request('/healthz', { method: 'BREW' })

    const response = await app.request('/metrics')
    const text = await response.text()

    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text).toContain(
      'citewell_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 1',
    )
    expect(text).toContain('{method="GET",route="unmatched",status="404"} 1')
    expect(text).toContain('{method="other",route="other-method",status="405"} 1')
    expect(text).not.toContain('made-up')
    expect(text).toContain('citewell_answers_total{covered="yes"} 1')
    expect(text).toContain('citewell_open_streams 3')
    expect(text).toContain('citewell_search_duration_seconds_count{mode="hybrid"} 1')
    expect(text).toContain('process_resident_memory_bytes')
  },
)

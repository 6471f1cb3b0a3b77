import { verifies } from '@citewell/spec/verifies'
import { expect, test } from 'vitest'
import { startTestService } from '../../../test/start-service.ts'
import { createHttpApp } from '../http/http-app.ts'
import { createOpenStreams } from '../http/open-streams.ts'
import { createRoutes } from '../http/routes.ts'
import { createHealthRoutes, type HealthDeps } from './health-routes.ts'
import { createMetrics } from './metrics.ts'

function healthApp(given: Partial<HealthDeps> = {}) {
  const metrics = createMetrics()
  const noGate = () => Promise.reject(new Error('no caller may pass'))
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
        metricsToken: undefined,
        checks: {},
        isStopping: () => false,
        restartReason: () => Promise.resolve(undefined),
        ...given,
      }),
      validatesResponses: true,
    }),
  })
  return { app, metrics }
}

verifies('running.healthz', 'a running process is alive', async () => {
  const { app } = healthApp()

  expect(await (await app.request('/healthz')).json()).toEqual({ status: 'alive' })
})

verifies(
  'running.readyz',
  'the service is ready when nothing is down, and names what is degraded',
  async () => {
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
  },
)

verifies(
  ['running.readyz', 'errors.unavailable'],
  'the service is not ready when something is down, and names it without the text of its error',
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

verifies('running.healthz', 'a process that cannot recover reports that it is not alive', async () => {
  const { app } = healthApp({ restartReason: () => Promise.resolve('The storage does not open.') })

  const response = await app.request('/healthz')

  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE', error: 'The storage does not open.' })
})

test('the service is not ready once it has begun to stop', async () => {
  const { app } = healthApp({ isStopping: () => true })

  expect((await app.request('/readyz')).status).toBe(503)
  expect((await app.request('/healthz')).status).toBe(200)
})

verifies(
  'running.metrics',
  'the metrics contain requests by pattern and status, process figures, and the figures that rooms add',
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

/** A request as it arrives over a socket from this address. */
const asked = (app: ReturnType<typeof healthApp>['app'], path: string, from: string, headers = {}) =>
  app.request(
    path,
    { headers: { host: '127.0.0.1:3000', ...headers } },
    {
      incoming: { socket: { remoteAddress: from }, headers: {} },
    },
  )

verifies(
  'running.watchers',
  'an unauthenticated caller, also behind a proxy on this machine, only learns whether the service is ready',
  async () => {
    let checked = 0
    const checks = {
      storage: () => {
        checked += 1
        return { is: 'degraded' as const, because: 'on its last legs' }
      },
    }
    const { app } = healthApp({ checks })
    const strangers: [string, object][] = [
      ['203.0.113.9', {}],
      ['10.0.0.5', {}],
      ['::ffff:192.168.1.4', {}],
      ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
      ['127.0.0.1', { forwarded: 'for=203.0.113.9' }],
      ['::1', { via: '1.1 proxy' }],
      ['127.0.0.1', { host: 'answers.example.com' }],
      ['127.0.0.1', { host: 'localhost.evil.example' }],
      ['203.0.113.9', { host: 'localhost', authorization: 'Bearer undefined' }],
    ]
    for (const [from, headers] of strangers) {
      const ready = await asked(app, '/readyz', from, headers)
      const metrics = await asked(app, '/metrics', from, headers)
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', checks: {}, notices: [] }])
      expect([metrics.status, (await metrics.text()).includes('process_')]).toEqual([403, false])
    }
    for (const [from, headers] of [
      ['127.0.0.1', {}],
      ['::ffff:127.0.0.1', { host: 'localhost:3000' }],
      ['::1', { host: '[::1]:3000' }],
    ] as const) {
      expect(await (await asked(app, '/readyz', from, headers)).json()).toMatchObject({
        checks: { storage: 'degraded' },
      })
      expect((await asked(app, '/metrics', from, headers)).status).toBe(200)
    }
    expect(checked).toBeLessThan(4)
  },
)

verifies('running.watchers', 'if a metrics token is set, it is required and sufficient', async () => {
  const token = 'a token for the watchers'
  const checks = { queue: () => ({ is: 'down' as const, because: 'is not started' }) }
  const { app } = healthApp({ checks, metricsToken: token })
  const withToken = { authorization: `Bearer ${token}` }
  const statuses = [
    await asked(app, '/metrics', '203.0.113.9', withToken),
    await asked(app, '/metrics', '127.0.0.1'),
    await asked(app, '/metrics', '127.0.0.1', { authorization: `Bearer ${token}x` }),
  ].map(({ status }) => status)
  const detailed = (await (await asked(app, '/readyz', '203.0.113.9', withToken)).json()) as { error: string }
  const brief = (await (await asked(app, '/readyz', '127.0.0.1')).json()) as { error: string }
  expect(statuses).toEqual([200, 403, 403])
  expect(detailed.error).toBe('Not ready: queue.')
  expect(brief).toMatchObject({ code: 'UNAVAILABLE', error: 'Not ready.' })
  expect(JSON.stringify(brief)).not.toContain('queue')
})

verifies(
  'running.watchers',
  'with CITEWELL_METRICS_TOKEN set, the service tells its metrics and checks on this machine only to who has the token',
  async () => {
    const token = 'a token for the watchers'
    await using citewell = await startTestService({ CITEWELL_METRICS_TOKEN: token })
    const withToken = { headers: { authorization: `Bearer ${token}` } }

    const refused = await citewell.fetch('/metrics')
    const told = await citewell.fetch('/metrics', withToken)

    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'FORBIDDEN' }])
    expect([told.status, await told.text()]).toEqual([200, expect.stringContaining('process_')])
    expect(await (await citewell.fetch('/readyz')).json()).toEqual({
      status: 'ready',
      checks: {},
      notices: [],
    })
    expect(await (await citewell.fetch('/readyz', withToken)).json()).toMatchObject({
      checks: { storage: 'up' },
    })
  },
)

import { z } from 'zod'
import { declareEndpoints, GET } from './endpoint.ts'

export const Alive = z
  .object({ status: z.literal('alive') })
  .meta({ id: 'Alive', description: 'The process runs.' })

export const Ready = z
  .object({
    status: z.literal('ready'),
    checks: z.record(z.string(), z.enum(['up', 'degraded'])).meta({
      description: '`degraded`: it works with reduced quality.',
      examples: [{ storage: 'up', model: 'up', queue: 'up' }],
    }),
    notices: z.array(z.string()).meta({ description: 'What is degraded, and why.', examples: [[]] }),
  })
  .meta({ id: 'Ready', description: 'The service can answer.' })

export type Ready = z.infer<typeof Ready>

const about = { caller: 'nobody', room: 'platform/health', group: 'Health' } as const

export const HEALTH_ENDPOINTS = declareEndpoints({
  getHealth: {
    ...about,
    ...GET('/healthz'),
    summary: 'Check whether the process is alive',
    answer: { status: 200, body: Alive },
  },
  getReadiness: {
    ...about,
    ...GET('/readyz'),
    summary: 'Check whether the service can answer',
    description:
      'If something is down: 503 `UNAVAILABLE`. Details are only sent to programs on the same machine, or with the metrics token.',
    answer: { status: 200, body: Ready },
  },
  getMetrics: {
    ...about,
    ...GET('/metrics'),
    summary: 'Read the Prometheus metrics',
    description: 'For programs on the same machine, or with the metrics token as `Authorization: Bearer`.',
    refusals: ['FORBIDDEN'],
    answer: { status: 200, text: 'text/plain; version=0.0.4; charset=utf-8' },
  },
})

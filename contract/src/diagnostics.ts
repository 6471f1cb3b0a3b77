import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'

/** What `citewell doctor` shows. */
export const Diagnostics = z
  .object({
    checks: z.array(
      z.object({
        name: z.string().meta({ examples: ['storage'] }),
        status: z.enum(['ok', 'warning', 'fault']),
        detail: z.string().meta({ description: 'What was found, and what to do where it is not in order.' }),
      }),
    ),
  })
  .meta({ id: 'Diagnostics', description: 'Whether everything this service needs is in order.' })

export const DIAGNOSTICS_ENDPOINTS = declareEndpoints({
  getDiagnostics: {
    caller: 'access-token',
    room: 'app',
    group: 'Health',
    method: 'GET',
    path: '/api/v1/diagnostics',
    summary: 'Look whether everything is in order',
    description:
      'Storage, index, models and tools, as `citewell doctor` shows them: to whoever operates the instance.',
    scope: 'admin',
    permission: 'operate',
    query: z.object({
      audit: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: 'Also recompute the chain of every activity log.' }),
    }),
    answer: { status: 200, body: Diagnostics },
  },
})

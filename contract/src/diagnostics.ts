import { z } from 'zod'
import { declareEndpoints, GET } from './endpoint.ts'

/** The results of `citewell doctor`. */
export const Diagnostics = z
  .object({
    checks: z.array(
      z.object({
        name: z.string().meta({ examples: ['storage'] }),
        status: z.enum(['ok', 'warning', 'fault']),
        detail: z.string().describe('What was found, and what to do if there is a problem.'),
      }),
    ),
  })
  .meta({ id: 'Diagnostics', description: 'Whether everything that this service needs works.' })

export const DIAGNOSTICS_ENDPOINTS = declareEndpoints({
  getDiagnostics: {
    caller: 'access-token',
    room: 'app',
    group: 'Health',
    ...GET('/api/v1/diagnostics'),
    summary: 'Run the diagnostics',
    description:
      'Storage, index, models and tools, as shown by `citewell doctor`. For operators of the instance.',
    scope: 'admin',
    permission: 'operate',
    query: z.object({
      audit: z
        .enum(['true', 'false'])
        .default('false')
        .describe('Also verify the hash chain of every activity log.'),
    }),
    answer: { status: 200, body: Diagnostics },
  },
})

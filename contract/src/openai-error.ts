import { z } from 'zod'
import { ANSWER_FAILURES, REFUSALS } from './refusals.ts'

const CODES = [...Object.keys(REFUSALS), ...Object.values(ANSWER_FAILURES).map(({ code }) => code)] as [
  string,
  ...string[],
]

/** What OpenAI's clients expect of every answer whose status is 400 or above, and of the last event of a stream that failed. */
export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string().meta({
        description: 'Written for the reader.',
        examples: ['A valid key or access token is needed.'],
      }),
      type: z
        .enum([
          'invalid_request_error',
          'authentication_error',
          'permission_error',
          'not_found_error',
          'insufficient_quota',
          'rate_limit_error',
          'server_error',
        ])
        .meta({ description: 'The kind of error, as OpenAI names them.' }),
      param: z
        .string()
        .nullable()
        .meta({ description: 'Where in the request.', examples: [null] }),
      code: z
        .enum([...new Set(CODES)] as [string, ...string[]])
        .meta({ description: 'The same codes as everywhere else here.', examples: ['UNAUTHENTICATED'] }),
      request_id: z.string().meta({
        description: 'The same as the header `X-Request-Id`.',
        examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'],
      }),
      retryable: z.boolean().meta({ description: 'Whether asking again may help.', examples: [false] }),
    }),
  })
  .meta({ id: 'OpenAiError', description: 'An error, in the shape of OpenAI.' })

export type OpenAiError = z.infer<typeof OpenAiError>

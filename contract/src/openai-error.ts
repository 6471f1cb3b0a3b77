import { z } from 'zod'
import { nullableText } from './fields.ts'
import { ANSWER_FAILURES, REFUSALS } from './refusals.ts'

const CODES = [...Object.keys(REFUSALS), ...Object.values(ANSWER_FAILURES).map(({ code }) => code)] as [
  string,
  ...string[],
]

/** The error format that OpenAI clients expect of every response with a status of 400 or above, and the last event of a failed stream. */
export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string().meta({
        description: 'A message for the reader.',
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
        .describe("The kind of error, with OpenAI's names."),
      param: nullableText().describe('The field of the request.'),
      code: z
        .enum([...new Set(CODES)] as [string, ...string[]])
        .meta({ description: 'The same codes as in the rest of this API.', examples: ['UNAUTHENTICATED'] }),
      request_id: z.string().meta({
        description: 'The same as the header `X-Request-Id`.',
        examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'],
      }),
      retryable: z.boolean().meta({ description: 'Whether a retry may help.', examples: [false] }),
    }),
  })
  .meta({ id: 'OpenAiError', description: 'An error in the format of OpenAI.' })

export type OpenAiError = z.infer<typeof OpenAiError>

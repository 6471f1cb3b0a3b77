import { z } from 'zod'
import { ANSWER_FAILURES, REFUSALS, type AnswerFailureCode, type RefusalCode } from './refusals.ts'

const REFUSAL_CODES = Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]]
const FAILURE_CODES = Object.keys(ANSWER_FAILURES) as [AnswerFailureCode, ...AnswerFailureCode[]]

const RequestId = z.string().meta({
  description: 'The same as the header `X-Request-Id`: mention it when you ask for help.',
  examples: ['0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'],
})

/** The body of every response with a status of 400 or above. */
export const ErrorBody = z
  .object({
    error: z.string().meta({
      description: 'What went wrong, as a message that may be shown to the reader.',
      examples: ['The request is not valid.'],
    }),
    code: z.enum(REFUSAL_CODES).describe('The kind of error.'),
    request_id: RequestId,
    retryable: z
      .boolean()
      .meta({ description: 'Whether the same request may succeed later.', examples: [false] }),
    details: z
      .array(
        z.object({
          path: z.string().meta({ description: 'The field of the request.', examples: ['query'] }),
          message: z.string().meta({ examples: ['is required'] }),
        }),
      )
      .optional()
      .describe('The individual errors, if that helps.'),
  })
  .meta({ id: 'Error', description: 'The body of every response with a status of 400 or above.' })

export type ErrorBody = z.infer<typeof ErrorBody>

/** The frame that ends a stream that had already started when an error occurred. */
export const StreamError = z
  .object({
    error: z.string().meta({
      description: 'What went wrong, as a message that may be shown to the reader.',
      examples: ['The answer took too long. Please try again.'],
    }),
    error_code: z
      .enum(FAILURE_CODES)
      .meta({ description: 'What kind of failure it was.', examples: ['timeout'] }),
    code: z.string().meta({
      description:
        'The same in upper case; if the key or knowledge base was closed meanwhile, the code of that refusal.',
      examples: ['TIMEOUT'],
    }),
    retryable: z.boolean().meta({ description: 'Whether a retry may help.', examples: [true] }),
    request_id: RequestId,
  })
  .meta({
    id: 'StreamError',
    description: 'Ends a stream that had already started. No further frame follows.',
  })

export type StreamError = z.infer<typeof StreamError>

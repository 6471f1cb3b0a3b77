import { z } from 'zod'
import { PII_KINDS, PII_LIMITS } from './closed-lists.ts'
import { declareEndpoints, CALLED_BY, POST } from './endpoint.ts'
import { text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { InKnowledgeBase } from './params.ts'

export type PiiKind = (typeof PII_KINDS)[number]

/** The replacement for matches of the owner's own patterns. */
export const CUSTOM_MASK = '[masked]'

const kinds = z
  .array(z.enum(PII_KINDS))
  .max(PII_KINDS.length)
  .meta({
    description:
      'Kinds of personal data to mask. `national_id`: numbers of the USA, the United Kingdom, Spain, France, Italy and Brazil. `secret`: keys and tokens by their well-known forms.',
    examples: [['email', 'phone']],
  })

/** How a knowledge base masks readers' texts, before anything is searched, sent to a model, stored or logged. */
export const PiiMasking = z.strictObject({
  mask: kinds,
  custom_patterns: z
    .array(text(1, PII_LIMITS.customPattern))
    .max(PII_LIMITS.customPatterns)
    .meta({
      description:
        'Regular expressions of your own, in RE2 syntax: no back references, no look-around. Each is matched against one line at a time.',
      examples: [['\\bACME-\\d{6}\\b']],
    }),
  allow_list: z
    .array(text(1, PII_LIMITS.allowed))
    .max(PII_LIMITS.allowList)
    .meta({
      description: 'Exceptions from masking: a text, or a pattern between slashes that matches all of it.',
      examples: [['support@example.com', '/.*@acme\\.example/']],
    }),
})

export type PiiMasking = z.infer<typeof PiiMasking>

/** `POST …/pii-masking/test`. */
export const TryPiiMasking = z
  .strictObject({
    text: text(1, LIMITS.query).meta({ examples: ['Write to ada@example.com, please.'] }),
    pii_masking: PiiMasking.partial()
      .optional()
      .describe('Settings to try. Fields that are not sent are those of the knowledge base.'),
  })
  .meta({ id: 'TryPiiMasking', examples: [{ text: 'Write to ada@example.com, please.' }] })

export const TriedPiiMasking = z
  .object({
    text: z.string().meta({
      description: 'The text as it would be searched, sent to a model and stored.',
      examples: ['Write to [email], please.'],
    }),
    found: z
      .array(
        z.object({
          kind: z.enum([...PII_KINDS, 'custom']).describe('`custom`: a pattern of your own.'),
          text: z.string(),
        }),
      )
      .meta({
        description: 'What was masked, in order.',
        examples: [[{ kind: 'email', text: 'ada@example.com' }]],
      }),
  })
  .meta({ id: 'TriedPiiMasking', description: 'A text with its personal data masked.' })

export type TriedPiiMasking = z.infer<typeof TriedPiiMasking>

export const PII_MASKING_ENDPOINTS = declareEndpoints({
  tryPiiMasking: {
    caller: 'access-token',
    room: 'answers/pii',
    group: 'Knowledge bases',
    ...POST('/api/v1/knowledge-bases/{id}/pii-masking/test'),
    summary: 'Try the masking of personal data',
    description:
      'Masks a text as a question of a reader would be, with the settings of the knowledge base or those in the body. Nothing is stored or logged.',
    ...CALLED_BY.configurers,
    params: InKnowledgeBase,
    body: TryPiiMasking,
    recordedBy: 'nobody',
    answer: { status: 200, body: TriedPiiMasking },
  },
})

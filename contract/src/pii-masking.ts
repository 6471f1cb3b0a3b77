import { z } from 'zod'
import { PII_KINDS, PII_LIMITS } from './closed-lists.ts'
import { text } from './fields.ts'

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

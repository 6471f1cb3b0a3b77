import { z } from 'zod'
import { LIMITS } from './limits.ts'

export const SuggestedQuestions = z
  .object({
    questions: z
      .array(z.string())
      .max(LIMITS.starterQuestions)
      .meta({ description: 'May be empty.', examples: [['How do I rotate an API key?']] }),
  })
  .meta({ id: 'SuggestedQuestions', description: 'Questions suggested to a reader.' })

export type SuggestedQuestions = z.infer<typeof SuggestedQuestions>

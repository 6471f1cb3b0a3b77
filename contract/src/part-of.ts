import { z } from 'zod'
import { wholeNumber } from './fields.ts'

const Count = wholeNumber(40)

export const PartOf = z
  .object({ count: Count, of: Count })
  .meta({ id: 'PartOf', description: 'How many of how many.', examples: [{ count: 37, of: 40 }] })

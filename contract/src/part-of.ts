import { z } from 'zod'

const Count = z
  .int()
  .min(0)
  .meta({ examples: [40] })

export const PartOf = z
  .object({ count: Count, of: Count })
  .meta({ id: 'PartOf', description: 'How many of how many.', examples: [{ count: 37, of: 40 }] })

import { z } from 'zod'
import { LIMITS } from './limits.ts'

const { page } = LIMITS

/** The query of every list. */
export const PageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(page.max)
    .default(page.default)
    .meta({ description: 'How many records to return.' }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'Where to go on: `next_cursor` of the page before.' }),
})

/** What a list answers: `{ data, next_cursor }`. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      data: z.array(item),
      next_cursor: z
        .string()
        .nullable()
        .meta({
          description: 'Give it as `cursor` to get the next page. Null on the last one.',
          examples: [null],
        }),
    })
    .meta({ id, description: 'One page of a list.' })
}

import { z } from 'zod'
import { nullableText } from './fields.ts'
import { LIMITS } from './limits.ts'

const { page } = LIMITS

/** Query parameters of every list. */
export const PageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(page.max)
    .default(page.default)
    .describe('How many records to return.'),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the previous page.'),
})

/** The response of a list: `{ data, next_cursor }`. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      data: z.array(item),
      next_cursor: nullableText().describe(
        'Send it as `cursor` to get the next page. Null on the last page.',
      ),
    })
    .meta({ id, description: 'One page of a list.' })
}

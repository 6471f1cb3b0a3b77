import { z } from 'zod'
import { PageUrl, text, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'

/** `POST …/related`. Unknown fields are ignored, including `group_ids`: the key's own groups apply. */
export const RelatedBody = z
  .object({ query: text(1, LIMITS.query).meta({ examples: ['API keys'] }) })
  .meta({ id: 'RelatedBody' })

export const RelatedArticle = z
  .object({
    url: PageUrl,
    title: z.string().meta({ examples: ['Rotating keys'] }),
    snippet: z
      .string()
      .meta({ description: 'At most 200 characters.', examples: ['Keys are rotated every day…'] }),
  })
  .meta({ id: 'RelatedArticle' })

export const RelatedArticles = z
  .object({
    articles: z.array(RelatedArticle).max(LIMITS.relatedPages),
    count: wholeNumber(1),
    powered_by: z.string().meta({ examples: ['Citewell'] }),
    powered_by_url: z.string().meta({ examples: ['https://citewell.example'] }),
  })
  .meta({ id: 'RelatedArticles', description: 'Up to five pages, one entry each, best match first.' })

export type RelatedArticles = z.infer<typeof RelatedArticles>

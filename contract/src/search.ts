import { z } from 'zod'
import { GroupIds, WidgetId } from './chat.ts'
import { HeadingPath } from './documents.ts'
import { idOf, nullableText, PageUrl, text, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'

const { searchResults } = LIMITS

/** `POST …/search`. Unknown fields are ignored. */
export const SearchBody = z
  .object({
    query: text(1, LIMITS.searchQuery).meta({ examples: ['rotate key'] }),
    limit: z
      .int()
      .min(1)
      .max(searchResults.max)
      .nullable()
      .transform((asked) => asked ?? searchResults.default)
      .prefault(searchResults.default)
      .describe('How many pages to return.'),
    group_ids: GroupIds,
    widget_id: WidgetId,
  })
  .meta({ id: 'SearchBody', examples: [{ query: 'rotate key' }] })

export type SearchBody = z.infer<typeof SearchBody>

export const SearchResult = z
  .object({
    document_id: idOf('document'),
    chunk_id: idOf('passage'),
    title: z.string().meta({ examples: ['Rotating keys'] }),
    url: PageUrl.meta({ examples: ['https://docs.example.com/keys#rotation'] }),
    heading_path: HeadingPath,
    snippet: z.string().meta({ examples: ['Keys are rotated every day at midnight, UTC.'] }),
    score: z.number().meta({ description: '0 to 1, relative to the other results.', examples: [0.91] }),
    version_label: nullableText('v2'),
  })
  .meta({ id: 'SearchResult', description: 'A page, with its best passage.' })

export type SearchResult = z.infer<typeof SearchResult>

export const SearchResults = z
  .object({
    results: z.array(SearchResult),
    count: wholeNumber(1),
    powered_by: z.string().meta({ examples: ['Citewell'] }),
    powered_by_url: PageUrl.meta({ examples: ['https://citewell.example'] }),
  })
  .meta({ id: 'SearchResults', description: 'The best pages, best first.' })

export type SearchResults = z.infer<typeof SearchResults>

import type { z } from 'zod'
import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'

/** Most that one page of a list holds, and pages of one reading: a server that names the same page again ends nowhere. */
export const PAGE_SIZE = 100
export const MAX_PAGES = 2_000

/** The pages of a list. */
export async function* pages<
  Page extends {
    meta?: { has_more: boolean } | undefined
    links?: { next?: string | null | undefined } | undefined
  },
>(client: RestClient, first: string, schema: z.ZodType<Page>): AsyncGenerator<Page, void, void> {
  let next = `${first}?page[size]=${PAGE_SIZE}`
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const data: Page = (await client.json(next, schema)).data
    yield data
    if (data.meta?.has_more !== true) return
    const link: URL | null = URL.parse(data.links?.next ?? '')
    // The link may name another host of the same help center; the credentials stay with the one that was entered.
    const path: string = link === null ? next : link.pathname + link.search
    // Taken for whole, what is missing in the list would be removed.
    if (path === next)
      throw new ApiFailure(
        'unexpected',
        'Zendesk cut off a list: it has more, but does not say where it goes on.',
      )
    next = path
  }
  throw new ApiFailure('unexpected', 'Zendesk lists more than is read of one help center.')
}

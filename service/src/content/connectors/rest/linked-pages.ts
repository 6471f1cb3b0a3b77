import type { z } from 'zod'
import { ApiFailure } from './api-failure.ts'
import type { RestClient } from './rest-client.ts'

/** Pages of one list: a server that names the same page again would never end. */
const MAX_PAGES = 2_000

/** The address of the next page in a `Link` header (RFC 8288); undefined if there is none. */
export function nextLink(headers: Headers): string | undefined {
  const text = (headers.get('link') ?? '').slice(0, 10_000)
  for (const part of text.split(',')) {
    const [address = '', ...parameters] = part.split(';')
    const isNext = parameters.some((parameter) => /^rel="?next"?$/i.test(parameter.trim()))
    const given = address.trim()
    if (isNext && given.startsWith('<') && given.endsWith('>')) return given.slice(1, -1)
  }
  return undefined
}

/** The pages of a list, by the links of its answers: long lists take no page numbers. @param name - of the product, for the owner */
export async function* linkedPages<Item>(
  client: RestClient,
  first: string,
  schema: z.ZodType<Item[]>,
  name: string,
): AsyncGenerator<Item[], void, void> {
  let next = first
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, headers } = await client.json(next, schema)
    yield data
    const link = nextLink(headers)
    if (link === undefined) return
    if (link === next) break
    next = link
  }
  // Taken for whole, what is missing in the list would be removed.
  throw new ApiFailure('unexpected', `${name} cut off a list, or lists more than is read.`)
}

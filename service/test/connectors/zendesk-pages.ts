import { unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

/** A refusal as Zendesk words it. */
export const bad = (status: number, error: string, description: string): StandInAnswer => ({
  status,
  body: { error, description },
})

/** Cursor pages, ordered by id: https://developer.zendesk.com/api-reference/introduction/pagination/ */
export function cursorPage(
  name: string,
  all: readonly { id: number }[],
  { query, path }: StandInRequest,
  origin: string,
): StandInAnswer {
  const wrong = unknownFields(query, ['page[size]', 'page[after]'])
  if (wrong.length > 0) return bad(400, 'InvalidParameter', `unknown parameter ${wrong.join()}`)
  const size = Number(query.get('page[size]'))
  if (!(size >= 1 && size <= 100)) return bad(400, 'InvalidPaginationSize', 'page[size] must be 1 to 100')
  const after = query.get('page[after]')
  const start = after === null ? 0 : all.findIndex(({ id }) => id > Number(atob(after)))
  const page = start === -1 ? [] : all.slice(start, start + size)
  const last = page.at(-1)
  const hasMore = last !== undefined && all.at(-1) !== last
  const cursor = btoa(String(last?.id ?? ''))
  const next = `${origin}${path}.json?page[size]=${size}&page[after]=${encodeURIComponent(cursor)}`
  return {
    body: {
      [name]: page,
      meta: { has_more: hasMore, after_cursor: hasMore ? cursor : null },
      links: { next: hasMore ? next : null, prev: null },
    },
  }
}

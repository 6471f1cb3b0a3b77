import { isUuid } from './ids.ts'
import { Refusal } from './refusal.ts'

/** What a store reads for a page: the records after an id, and one more than the page holds, to know whether another page follows. */
export interface PageRequest {
  after: string | undefined
  limit: number
}

/** Parses the query of a list request. The cursor is the id of the last record of the previous page. */
export function parsePageQuery(query: { limit: number; cursor?: string | undefined }): PageRequest {
  if (query.cursor !== undefined && !isUuid(query.cursor)) {
    throw new Refusal('BAD_REQUEST', {
      details: [{ path: 'cursor', message: 'is not a next_cursor of this list' }],
    })
  }
  return { after: query.cursor, limit: query.limit + 1 }
}

/** Builds one page from the rows that a store found for `parsePageQuery`. */
export function pageOfRows<Row, Shown extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
): { data: Shown[]; next_cursor: string | null } {
  const data = rows.slice(0, limit).map(show)
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
}

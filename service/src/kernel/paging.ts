import { isUuid } from './ids.ts'
import { wrongField, type Refusal } from './refusal.ts'

/** What a store reads for a page: the records after an id, and one more than the page holds, to know whether another page follows. */
export interface PageRequest {
  after: string | undefined
  limit: number
}

/** Refuses a text that is not a cursor of this list. */
export const wrongCursor = (): Refusal => wrongField('cursor', 'is not a next_cursor of this list')

/** Parses the query of a list request. The cursor is the id of the last record of the previous page. */
export function parsePageQuery(query: { limit: number; cursor?: string | undefined }): PageRequest {
  if (query.cursor !== undefined && !isUuid(query.cursor)) throw wrongCursor()
  return { after: query.cursor, limit: query.limit + 1 }
}

/** Builds one page of a list with cursors of its own, from the rows that a store found: one more than the page holds, if there is another. */
export function pageWith<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
  cursorOf: (last: Row) => string,
): { data: Shown[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { data: page.map((row) => show(row)), next_cursor: hasMore ? cursorOf(last) : null }
}

/** Builds one page from the rows that a store found for `parsePageQuery`. */
export const pageOfRows = <Row, Shown extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
) => pageWith(rows, limit, show, (last) => show(last).id)

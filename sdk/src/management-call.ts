/** Options of one management request. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Makes a creation happen once, however often it is sent. By default each call has its own, so that its repetitions are safe. */
  idempotencyKey?: string | undefined
}

/** A page of a list, as the API returns it. */
interface Page<Item> {
  data: Item[]
  next_cursor: string | null
}

/** The first page, and by `all()` or a loop every record of the list, page after page. */
export interface PagePromise<One extends Page<unknown>>
  extends Promise<One>, AsyncIterable<One['data'][number]> {
  /** Every record of the list. Further pages are fetched when they are needed. */
  all(): AsyncGenerator<One['data'][number], void, void>
}

import type { ParsingTask } from './parser-messages.ts'
import type { Block, ParsedPage } from './parsing-blocks.ts'
import type { ReadTicket, ReadTickets } from './tickets/ticket-found.ts'
import type { ReadSitemap, SitemapEntry } from './sitemap-xml.ts'

/** Items that the receiver reads without yielding: some milliseconds. */
const PART_SIZE = 1_000

/** Splits a result into parts that can be deserialized one after the other: long lists would block the receiver. */
export function partsOf(kind: ParsingTask['kind'], result: unknown): unknown[] {
  if (kind === 'operations') return result as unknown[]
  if (kind === 'mail' || kind === 'mail-file') return [result]
  if (kind === 'tickets') {
    const { tickets, ...rest } = result as ReadTickets
    return [rest, ...slicesOf(tickets)]
  }
  if (kind === 'sitemap') {
    const { pages, ...rest } = result as ReadSitemap
    return [rest, ...slicesOf(pages)]
  }
  const { document, ...rest } = result as ParsedPage
  const { blocks, ...metadata } = document
  return [{ ...rest, document: metadata }, ...slicesOf(blocks)]
}

/** Reassembles a result from its parts. */
export function fromParts(kind: ParsingTask['kind'], parts: unknown[]): unknown {
  if (kind === 'operations') return parts
  const [head, ...slices] = parts
  if (kind === 'mail' || kind === 'mail-file') return head
  if (kind === 'tickets') return { ...(head as ReadTickets), tickets: (slices as ReadTicket[][]).flat() }
  if (kind === 'sitemap') return { ...(head as ReadSitemap), pages: (slices as SitemapEntry[][]).flat() }
  const page = head as ParsedPage
  return { ...page, document: { ...page.document, blocks: (slices as Block[][]).flat() } }
}

function slicesOf(list: readonly unknown[]): unknown[] {
  return Array.from({ length: Math.ceil(list.length / PART_SIZE) }, (_, index) =>
    list.slice(index * PART_SIZE, (index + 1) * PART_SIZE),
  )
}

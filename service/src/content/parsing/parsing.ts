import { DEFAULT_SHARE, type ParseShare } from './parse-share.ts'
import type { ParsingTask } from './parser-messages.ts'
import { createParsingPool, type PoolLimits } from './parsing-pool.ts'
import type { ParsedMail } from './parsed-mail.ts'
import type { OperationPage, ParsedPage, ParseInput } from './parsing-blocks.ts'
import type { ReadTickets, TicketSample } from './tickets/ticket-found.ts'
import type { ReadSitemap } from './sitemap-xml.ts'

export { canParse, isTextType, mediaTypeOfFile, mediaTypeOfKeptFile } from './media-types.ts'
export { MAX_PAGE_LINKS } from './html-metadata.ts'
export { itemInput } from './item-body.ts'
export type { BodyPart } from './item-body.ts'
export { ParseFailure } from './parse-failure.ts'
export { plainText } from './plain-text.ts'
export {
  listMarker,
  renderBlock,
  renderItem,
  renderRow,
  renderTableHead,
  renderTerm,
} from './render-markdown.ts'
export { leftOutOf } from './left-out.ts'
export { escapeHtml, tag } from './write-html.ts'
export type { ParseShare } from './parse-share.ts'
export type { ParsedMail } from './parsed-mail.ts'
export type { ReadTicket, TicketSample } from './tickets/ticket-found.ts'
export type { ReadSitemap } from './sitemap-xml.ts'
export type { Block, OperationPage, ParsedDocument, ParsedPage, ParseInput } from './parsing-blocks.ts'

/**
 * Parses untrusted documents in separate processes, so that none can block the service, exhaust its memory, or crash it. The
 * owner (`share`) decides when a task has its turn.
 *
 * @example
 * await using parsing = createParsing({ workers: 3, timeLimitMs: 60_000, memoryLimitMb: 400 })
 * const { document, page } = await parsing.parse({ mediaType: 'text/html', bytes, url }, signal, share)
 */
export function createParsing(limits: PoolLimits) {
  const pool = createParsingPool(limits)

  async function run(
    task: Pick<ParsingTask, 'kind' | 'maxEntries' | 'fileAt' | 'sample'>,
    { bytes, ...input }: ParseInput,
    signal: AbortSignal | undefined,
    share: ParseShare = DEFAULT_SHARE,
  ): Promise<unknown> {
    return await pool.run({ task: { ...task, input }, bytes, share, signal })
  }

  return {
    /** @throws ParseFailure if the document cannot be read; the signal's reason if it is aborted. */
    async parse(input: ParseInput, signal?: AbortSignal, share?: ParseShare): Promise<ParsedPage> {
      return (await run({ kind: 'document' }, input, signal, share)) as ParsedPage
    },
    /**
     * Parses an API description (OpenAPI 3 or Swagger 2, JSON or YAML) into a page for each operation.
     * @throws ParseFailure as `parse` does
     */
    async parseOpenApi(
      input: ParseInput,
      signal?: AbortSignal,
      share?: ParseShare,
    ): Promise<OperationPage[]> {
      return (await run({ kind: 'operations' }, input, signal, share)) as OperationPage[]
    },
    /**
     * Parses a sitemap, up to this many entries.
     * @throws ParseFailure as `parse` does
     */
    async parseSitemap(
      input: ParseInput,
      maxEntries: number,
      signal?: AbortSignal,
      share?: ParseShare,
    ): Promise<ReadSitemap> {
      return (await run({ kind: 'sitemap', maxEntries }, input, signal, share)) as ReadSitemap
    },
    /**
     * Reads a mail, or the beginning of one.
     * @throws ParseFailure as `parse` does
     */
    async parseMail(bytes: Uint8Array, signal?: AbortSignal, share?: ParseShare): Promise<ParsedMail> {
      const input = { mediaType: 'message/rfc822', bytes, url: '' }
      return (await run({ kind: 'mail' }, input, signal, share)) as ParsedMail
    },
    /**
     * Reads a file that is attached to a mail, at this place in its `files`.
     * @throws ParseFailure as `parse` does
     */
    async readMailFile(
      bytes: Uint8Array,
      fileAt: number,
      signal?: AbortSignal,
      share?: ParseShare,
    ): Promise<Uint8Array> {
      const input = { mediaType: 'message/rfc822', bytes, url: '' }
      return (await run({ kind: 'mail-file', fileAt }, input, signal, share)) as Uint8Array
    },
    /**
     * Reads past tickets from a file.
     * @throws ParseFailure as `parse` does, and if it has none
     */
    async readTickets(
      bytes: Uint8Array,
      sample: TicketSample,
      signal?: AbortSignal,
      share?: ParseShare,
    ): Promise<ReadTickets> {
      const input = { mediaType: 'text/plain', bytes, url: '' }
      return (await run({ kind: 'tickets', sample }, input, signal, share)) as ReadTickets
    },
    /** Ids of the processes that are parsing or waiting for work. */
    processIds: pool.processIds,
    close: pool.close,
    [Symbol.asyncDispose]: pool.close,
  }
}

export type Parsing = ReturnType<typeof createParsing>

import { createParsingPool, type PoolLimits } from './parsing-pool.ts'
import type { OperationPage, ParsedPage, ParseInput } from './parsing-blocks.ts'

export { canParse, isTextType, mediaTypeOfFile } from './media-types.ts'
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
export type {
  Block,
  OperationPage,
  PageSigns,
  ParsedDocument,
  ParsedPage,
  ParseInput,
} from './parsing-blocks.ts'

/**
 * Parses documents in worker threads, so that no document holds up the process or takes it down.
 *
 * @example
 * await using parsing = createParsing({ workers: 1, timeLimitMs: 60_000, memoryLimitMb: 512 })
 * const { document, page } = await parsing.parse({ mediaType: 'text/html', bytes, url }, signal)
 */
export function createParsing(limits: PoolLimits) {
  const pool = createParsingPool(limits)
  return {
    /** @throws ParseFailure when the document cannot be read; the signal's reason when it is aborted. */
    async parse(input: ParseInput, signal?: AbortSignal): Promise<ParsedPage> {
      return (await pool.run({ kind: 'document', input }, signal)) as ParsedPage
    },
    /**
     * Parses an API description (OpenAPI 3 or Swagger 2, JSON or YAML) into a page for each operation.
     * @throws ParseFailure as `parse` does
     */
    async parseOpenApi(input: ParseInput, signal?: AbortSignal): Promise<OperationPage[]> {
      return (await pool.run({ kind: 'operations', input }, signal)) as OperationPage[]
    },
    close: pool.close,
    [Symbol.asyncDispose]: pool.close,
  }
}

export type Parsing = ReturnType<typeof createParsing>

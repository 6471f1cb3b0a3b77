import type { SourceConfig } from '@citewell/contract/source-configs'
import type {
  Connector,
  ConnectorInput,
  PageMemory,
  SourceItem,
} from '../src/content/connectors/connectors.ts'

/** What today's connectors of websites, folders and files yield, apart from `complete`. */
const isAboutContent = (
  item: SourceItem,
): item is Exclude<SourceItem, { kind: 'cursor' | 'removed' | 'complete' }> =>
  item.kind !== 'cursor' && item.kind !== 'removed' && item.kind !== 'complete'

/** All items of one reading of a source, combined as a sync does. */
export interface SourceReading {
  items: SourceItem[]
  /** Paths, or external ids, of the documents in the index afterwards, sorted. */
  documents: string[]
  unchanged: string[]
  /** Reasons by path. */
  skipped: Record<string, string>
  failed: Record<string, string>
  leftOut: Record<string, string>
  /** What limits left out, by the first path. */
  limits: Record<string, string>
}

/** A website's settings with the contract's defaults. */
export const websiteConfig = (
  given: Partial<SourceConfig<'website'>> & { start_urls: string[] },
): SourceConfig<'website'> => ({
  include: [],
  exclude: [],
  max_pages: 10_000,
  max_depth: null,
  use_sitemap: true,
  content_selector: null,
  render_js: false,
  ...given,
})

const shorten = (url: string) => (/^https?:/.test(url) ? new URL(url).pathname + new URL(url).search : url)

/**
 * Reads sources one after another as a sync does, and keeps the page memories: a second reading finds those that the first one stored.
 */
export function createSourceReader<Config>(connector: Connector<Config>) {
  const memory = new Map<string, PageMemory>()
  const indexed = new Set<string>()

  return async (
    config: Config,
    given: Partial<Pick<ConnectorInput<Config>, 'respectRobotsTxt' | 'signal' | 'credentials'>> = {},
  ): Promise<SourceReading> => {
    const items: SourceItem[] = []
    const mentioned = new Set<string>()
    const leftOut: Record<string, string> = {}
    const limits: Record<string, string> = {}
    let isComplete = false
    const reading = connector.read({
      config,
      credentials: given.credentials,
      sourceId: 'source',
      owner: { workspaceId: 'workspace', knowledgeBaseId: 'base' },
      respectRobotsTxt: given.respectRobotsTxt ?? true,
      signal: given.signal ?? new AbortController().signal,
      recall: async (url) => {
        const found = memory.get(url)
        return found?.externalId !== undefined && !indexed.has(found.externalId) ? undefined : found
      },
      onLeftOut: (url, reason) => {
        leftOut[shorten(url)] = reason
      },
      onLimit: (limit, place) => {
        limits[shorten(place)] ??= limit
      },
    })
    for await (const item of reading) {
      if (item.kind === 'complete') isComplete = true
      if (!isAboutContent(item)) continue
      items.push(item)
      if (item.kind === 'discovered') continue
      if (item.memory !== undefined) memory.set(item.memory.url, item.memory)
      if (item.kind === 'document') indexed.add(item.externalId)
      if (item.kind === 'skipped') {
        mentioned.delete(item.url)
        indexed.delete(item.url)
      } else if (item.externalId !== undefined) mentioned.add(item.externalId)
    }
    for (const id of indexed) if (isComplete && !mentioned.has(id)) indexed.delete(id)
    const reasons = (kind: 'skipped' | 'failed') =>
      Object.fromEntries(
        items.flatMap((item) => (item.kind === kind ? [[shorten(item.url), item.reason]] : [])),
      )
    return {
      items,
      documents: [...indexed].map(shorten).sort(),
      unchanged: items.flatMap((item) => (item.kind === 'unchanged' ? [shorten(item.externalId)] : [])),
      skipped: reasons('skipped'),
      failed: reasons('failed'),
      leftOut,
      limits,
    }
  }
}

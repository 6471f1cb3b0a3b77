import { redactAddresses } from '../../kernel/redact-addresses.ts'
import { plainText, renderBlock } from '../parsing/parsing.ts'
import {
  SourceFailure,
  SourcePaused,
  type Connector,
  type ConnectorInput,
  type SourceAccess,
} from './connector.ts'
import { untilAborted } from './until-aborted.ts'

/** An address that would not become a document, and why. */
interface LeftOut {
  url: string
  reason: string
}

export interface SourcePreview {
  /** Undefined for a connector without accounts, or if the source cannot be read. */
  access: SourceAccess | undefined
  /** The first pages that would become documents. */
  pages: { url: string; title: string; excerpt: string }[]
  leftOut: LeftOut[]
  failed: LeftOut[]
  /** Why the source as a whole cannot be read. */
  error: string | undefined
  /** Whether the whole source was seen. */
  isComplete: boolean
}

const MAX_LEFT_OUT = 500
const EXCERPT_CHARACTERS = 200

/** Stop after this many pages that did not become documents: the rest will hardly differ. */
const MAX_LOOKED_AT = 100

const TIME_LIMIT_MS = 30_000

/** Reads the beginning of a source as a sync would, and stores nothing. */
export async function previewSource<Config>(
  connector: Connector<Config>,
  given: Pick<ConnectorInput<Config>, 'config' | 'credentials' | 'respectRobotsTxt' | 'signal' | 'owner'> & {
    maxPages: number
  },
): Promise<SourcePreview> {
  const pages = new Map<string, SourcePreview['pages'][number]>()
  const leftOut = new Map<string, string>()
  const failed = new Map<string, string>()
  let lookedAt = 0
  let access: SourceAccess | undefined
  const timeLimit = AbortSignal.timeout(TIME_LIMIT_MS)
  const listed = (reasons: Map<string, string>) =>
    [...reasons].map(([url, reason]) => ({ url: redactAddresses(url), reason: redactAddresses(reason) }))
  const preview = (isComplete: boolean, error?: string): SourcePreview => ({
    access,
    pages: [...pages.values()],
    leftOut: listed(leftOut),
    failed: listed(failed),
    error,
    isComplete,
  })

  const signal = AbortSignal.any([given.signal, timeLimit])
  const input: ConnectorInput<Config> = {
    config: given.config,
    credentials: given.credentials,
    respectRobotsTxt: given.respectRobotsTxt,
    isAwaited: true,
    sourceId: 'preview',
    owner: given.owner,
    signal,
    recall: async () => undefined,
    onLeftOut: (url, reason) => {
      if (leftOut.size < MAX_LEFT_OUT && !leftOut.has(url)) leftOut.set(url, reason)
    },
  }
  try {
    access = await connector.check?.(input)
    for await (const item of untilAborted(connector.read(input), signal)) {
      if (item.kind === 'document') {
        const { title, blocks } = item.document
        const excerpt = plainText(blocks.slice(0, 5).map(renderBlock).join('\n')).replaceAll(/\s+/g, ' ')
        pages.set(item.externalId, { url: item.url, title, excerpt: excerpt.slice(0, EXCERPT_CHARACTERS) })
      } else if (item.kind === 'skipped') {
        lookedAt += 1
        pages.delete(item.url)
        leftOut.set(item.url, item.reason)
      } else if (item.kind === 'failed') {
        lookedAt += 1
        failed.set(item.url, item.reason)
      }
      if (pages.size >= given.maxPages || lookedAt >= MAX_LOOKED_AT) return preview(false)
    }
    return preview(true)
  } catch (error) {
    given.signal.throwIfAborted()
    if (error instanceof SourceFailure && error.isRefused) throw error
    if (error instanceof SourceFailure || error instanceof SourcePaused) return preview(false, error.message)
    if (timeLimit.aborted) return preview(false)
    throw error
  }
}

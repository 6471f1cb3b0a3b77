import { redactAddresses } from '../../kernel/redact-addresses.ts'
import { plainText, renderBlock } from '../parsing/parsing.ts'
import {
  SourceFailure,
  SourcePaused,
  type Connector,
  type ConnectorInput,
  type DetectedFacts,
  type SourceAccess,
} from './connector.ts'
import { untilAborted } from './until-aborted.ts'

/** An address that would not become a document, and why. */
interface LeftOut {
  url: string
  reason: string
}

interface PreviewedPage {
  url: string
  title: string
  excerpt: string
}

/** What is known of the source as a whole. */
export interface Detected extends Partial<DetectedFacts> {
  /** Addresses found so far. */
  pagesKnown: number
}

/** One step of a preview, for whoever watches it. A page may be left out again later; the preview itself has the last word. */
export type PreviewStep =
  | { kind: 'detected'; detected: Detected }
  | { kind: 'page'; page: PreviewedPage }
  | { kind: 'left_out' | 'failed'; address: LeftOut }

export interface SourcePreview {
  /** Undefined for a connector without accounts, or if the source cannot be read. */
  access: SourceAccess | undefined
  /** The first pages that would become documents. */
  pages: PreviewedPage[]
  detected: Detected
  leftOut: LeftOut[]
  failed: LeftOut[]
  /** Why the source as a whole cannot be read. */
  error: string | undefined
  /** Whether the whole source was seen. */
  isComplete: boolean
}

const MAX_LEFT_OUT = 500
const EXCERPT_CHARACTERS = 200
const TITLE_CHARACTERS = 300

/** Stop after this many pages that did not become documents: the rest will hardly differ. */
const MAX_LOOKED_AT = 100

const TIME_LIMIT_MS = 30_000

/** What a site says of itself, bounded and without credentials. */
const shownFacts = ({ title, sitemap, ...facts }: Partial<DetectedFacts>): Partial<DetectedFacts> => ({
  ...facts,
  ...(title !== undefined && { title: title.slice(0, TITLE_CHARACTERS) }),
  ...(sitemap !== undefined && { sitemap: redactAddresses(sitemap) }),
})

/** Errors whose message tells the owner of the source what to do. */
const isForOwner = (error: unknown): error is SourceFailure | SourcePaused =>
  error instanceof SourceFailure || error instanceof SourcePaused

/** Reads the beginning of a source as a sync would, and stores nothing. */
export async function previewSource<Config>(
  connector: Connector<Config>,
  given: Pick<
    ConnectorInput<Config>,
    'config' | 'credentials' | 'access' | 'respectRobotsTxt' | 'signal' | 'owner'
  > & {
    maxPages: number
    /** Called for each step, while the preview is made. */
    onStep?: ((step: PreviewStep) => void) | undefined
  },
): Promise<SourcePreview> {
  const pages = new Map<string, SourcePreview['pages'][number]>()
  const leftOut = new Map<string, string>()
  const failed = new Map<string, string>()
  let lookedAt = 0
  let detected: Detected = { pagesKnown: 0 }
  let access: SourceAccess | undefined
  const timeLimit = AbortSignal.timeout(TIME_LIMIT_MS)
  const shown = (url: string, reason: string): LeftOut => ({
    url: redactAddresses(url),
    reason: redactAddresses(reason),
  })
  const listed = (reasons: Map<string, string>) => [...reasons].map(([url, reason]) => shown(url, reason))
  function learn(facts: Partial<Detected>): void {
    detected = { ...detected, ...facts }
    given.onStep?.({ kind: 'detected', detected })
  }
  function list(kind: 'left_out' | 'failed', url: string, reason: string): void {
    const reasons = kind === 'failed' ? failed : leftOut
    if (!reasons.has(url)) given.onStep?.({ kind, address: shown(url, reason) })
    reasons.set(url, reason)
  }
  const preview = (isComplete: boolean, error?: string): SourcePreview => ({
    access,
    pages: [...pages.values()],
    detected,
    leftOut: listed(leftOut),
    failed: listed(failed),
    error,
    isComplete,
  })

  const signal = AbortSignal.any([given.signal, timeLimit])
  const input: ConnectorInput<Config> = {
    config: given.config,
    credentials: given.credentials,
    access: given.access,
    respectRobotsTxt: given.respectRobotsTxt,
    isAwaited: true,
    sourceId: 'preview',
    owner: given.owner,
    signal,
    recall: async () => undefined,
    onLeftOut: (url, reason) => {
      if (leftOut.size < MAX_LEFT_OUT && !leftOut.has(url)) list('left_out', url, reason)
    },
    onLimit: (limit, place) => {
      if (leftOut.size < MAX_LEFT_OUT && !leftOut.has(place)) list('left_out', place, limit)
    },
    onDetected: (facts) => learn(shownFacts(facts)),
  }
  try {
    access = await connector.check?.(input)
    for await (const item of untilAborted(connector.read(input), signal)) {
      if (item.kind === 'document') {
        const { title, blocks } = item.document
        const excerpt = plainText(blocks.slice(0, 5).map(renderBlock).join('\n')).replaceAll(/\s+/g, ' ')
        const page = { url: item.url, title, excerpt: excerpt.slice(0, EXCERPT_CHARACTERS) }
        pages.set(item.externalId, page)
        given.onStep?.({ kind: 'page', page })
      } else if (item.kind === 'skipped') {
        lookedAt += 1
        pages.delete(item.url)
        list('left_out', item.url, item.reason)
      } else if (item.kind === 'failed') {
        lookedAt += 1
        list('failed', item.url, item.reason)
      } else if (item.kind === 'discovered') learn({ pagesKnown: item.count })
      if (pages.size >= given.maxPages || lookedAt >= MAX_LOOKED_AT) return preview(false)
    }
    return preview(true)
  } catch (error) {
    given.signal.throwIfAborted()
    if (error instanceof SourceFailure && error.isRefused) throw error
    if (isForOwner(error)) return preview(false, error.message)
    if (timeLimit.aborted) return preview(false)
    throw error
  }
}

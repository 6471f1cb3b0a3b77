import { redactAddresses } from '../../kernel/redact-addresses.ts'
import type { Owner } from '../../platform/fairness/owner.ts'
import type { ParsedDocument, ParseShare } from '../parsing/parsing.ts'

/** What a connector remembers of an address between two syncs, so that nothing unchanged is fetched or parsed again. */
export interface PageMemory {
  url: string
  etag: string | undefined
  lastModified: string | undefined
  /** SHA-256 of the body last seen. */
  bodyHash: string | undefined
  /** External id of the document made from this address, if there is one. */
  externalId: string | undefined
  /** Anything else the connector needs to continue without the body (e.g. the links of a page). */
  state: Record<string, unknown>
}

/**
 * What a connector yields to the sync. Of several items about one address the last one counts: a page yielded as a document is skipped
 * later if the same text is found at a better address.
 */
export type SourceItem =
  /** Number of addresses known so far. */
  | { kind: 'discovered'; count: number }
  | {
      kind: 'document'
      /** Stable name of the document within its source: the address of a page, the path of a file. */
      externalId: string
      url: string
      document: ParsedDocument
      /** When it was last modified, according to the source. */
      modifiedAt: Date | undefined
      memory: PageMemory | undefined
    }
  /** Known to be unchanged (304, or the same bytes): the indexed document is kept. */
  | { kind: 'unchanged'; externalId: string; memory: PageMemory | undefined }
  /** Left out on purpose, with a readable reason: an existing document at this address is removed. */
  | { kind: 'skipped'; url: string; reason: string; memory: PageMemory | undefined }
  /** Could not be read this time: an existing document at this address is kept, and `memory` is still to be stored. */
  | {
      kind: 'failed'
      url: string
      reason: string
      externalId: string | undefined
      memory: PageMemory | undefined
    }

/** Credentials of a source. Stored sealed; in no record, error or log. */
export interface SourceCredentials {
  user?: string | undefined
  password?: string | undefined
  ssh_private_key?: string | undefined
  /** Parameters to add to its address, e.g. `token`. */
  query?: Record<string, string> | undefined
}

/** What a site is, as its start page and its files say. */
export interface DetectedFacts {
  /** Title of the first page. */
  title: string
  /** What it was made with, in its own words. */
  generator: string
  /** A sitemap that is read. */
  sitemap: string
}

/** The input of a connector. Config has been validated by the contract's schema of its type. */
export interface ConnectorInput<Config> {
  config: Config
  /** Undefined: none are needed. */
  credentials?: SourceCredentials | undefined
  sourceId: string
  /** For whom it is read, where capacity is shared. */
  owner: Owner
  respectRobotsTxt: boolean
  signal: AbortSignal
  /** A user waits for the result, as for a preview: its pages are parsed before those of syncs. */
  isAwaited?: boolean
  /** What the previous sync remembered of an address. Undefined if its document is no longer in the index. */
  recall(url: string): Promise<PageMemory | undefined>
  /** Called with what is learnt of the source as a whole. A preview shows it. */
  onDetected?(facts: Partial<DetectedFacts>): void
  /** Called for what was never part of the source: links to other hosts, images. A preview shows them, a sync does not. */
  onLeftOut?(url: string, reason: string): void
}

/**
 * Reads one kind of source. `read` ends normally only if the whole source was seen: documents that it did not mention are then removed. It
 * throws a `SourceFailure` if the source as a whole cannot be read.
 */
export interface Connector<Config> {
  type: string
  read(input: ConnectorInput<Config>): AsyncGenerator<SourceItem, void, void>
}

/** The source as a whole cannot be read; the message tells the owner of the source why and what to do. */
export class SourceFailure extends Error {
  /** The source names something that no source may read: a request that triggers this is refused. */
  readonly isRefused: boolean

  constructor(message: string, options: { cause?: unknown; isRefused?: boolean } = {}) {
    super(redactAddresses(message), { cause: options.cause })
    this.name = 'SourceFailure'
    this.isRefused = options.isRefused === true
  }
}

/** The parsing share to charge for what a connector reads. */
export const parseShareOf = ({
  owner: { workspaceId, knowledgeBaseId },
  isAwaited = false,
}: Pick<ConnectorInput<unknown>, 'owner' | 'isAwaited'>): ParseShare => ({
  workspaceId,
  knowledgeBaseId,
  isAwaited,
})

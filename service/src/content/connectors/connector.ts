import { redactAddresses } from '../../kernel/redact-addresses.ts'
import type { Owner } from '../../platform/fairness/owner.ts'
import type { ParsedDocument, ParseShare } from '../parsing/parsing.ts'

/** What a connector remembers of an address between two syncs, so that nothing unchanged is fetched or parsed again. */
export interface PageMemory {
  url: string
  etag: string | undefined
  lastModified: string | undefined
  /** SHA-256 of the bytes last seen. */
  bodyHash: string | undefined
  /** External id of the document that this address became, if it became one. */
  externalId: string | undefined
  /** Anything else the connector needs to go on without the body (the links of a page, say). */
  state: Record<string, unknown>
}

/**
 * What a connector tells the sync, one item at a time. Of several items about one address the last one counts: a page that
 * was given as a document is skipped later when the same text is found at a better address.
 */
export type SourceItem =
  /** How many addresses are known so far. */
  | { kind: 'discovered'; count: number }
  | {
      kind: 'document'
      /** Stable name of the document within its source: the address of a page, the path of a file. */
      externalId: string
      url: string
      document: ParsedDocument
      /** When the source says it was changed last. */
      modifiedAt: Date | undefined
      memory: PageMemory | undefined
    }
  /** Known to be as it was (304, or the same bytes): stays as it is. */
  | { kind: 'unchanged'; externalId: string; memory: PageMemory | undefined }
  /** Left out on purpose, with the reason in words: an existing document at this address is removed. */
  | { kind: 'skipped'; url: string; reason: string; memory: PageMemory | undefined }
  /** Could not be read this time: an existing document at this address is kept, and `memory` is still to be remembered. */
  | {
      kind: 'failed'
      url: string
      reason: string
      externalId: string | undefined
      memory: PageMemory | undefined
    }

/** What lets a source in where it is. Stored sealed; in no record, error or log. */
export interface SourceCredentials {
  user?: string | undefined
  password?: string | undefined
  ssh_private_key?: string | undefined
  /** Parameters that belong into its address: `token`, say. */
  query?: Record<string, string> | undefined
}

/** What a connector is given. Config has been validated by the contract's schema of its type. */
export interface ConnectorInput<Config> {
  config: Config
  /** Undefined: none are needed. */
  credentials?: SourceCredentials | undefined
  sourceId: string
  /** For whom it is read, where places are shared out. */
  owner: Owner
  respectRobotsTxt: boolean
  signal: AbortSignal
  /** Somebody waits for what is read, as for a preview: its pages are parsed before those of syncs. */
  isAwaited?: boolean
  /** What is remembered of an address from the sync before. Undefined when its document is no longer in the index. */
  recall(url: string): Promise<PageMemory | undefined>
  /** Told of what was never part of the source: links to other hosts, pictures. A preview shows them, a sync does not. */
  onLeftOut?(url: string, reason: string): void
}

/**
 * Reads one kind of source. `read` ends normally only when the whole source was seen: documents that it did not
 * mention are then removed. It throws a `SourceFailure` when the source as a whole cannot be read.
 */
export interface Connector<Config> {
  type: string
  read(input: ConnectorInput<Config>): AsyncGenerator<SourceItem, void, void>
}

/** The source as a whole cannot be read; the message says why and what to do, for the owner of the source. */
export class SourceFailure extends Error {
  /** It names what no source may read: asked for in a request, the request is refused. */
  readonly isRefused: boolean

  constructor(message: string, options: { cause?: unknown; isRefused?: boolean } = {}) {
    super(redactAddresses(message), { cause: options.cause })
    this.name = 'SourceFailure'
    this.isRefused = options.isRefused === true
  }
}

/** For whom what a connector reads is parsed. */
export const parseShareOf = ({
  owner: { workspaceId, knowledgeBaseId },
  isAwaited = false,
}: Pick<ConnectorInput<unknown>, 'owner' | 'isAwaited'>): ParseShare => ({
  workspaceId,
  knowledgeBaseId,
  isAwaited,
})

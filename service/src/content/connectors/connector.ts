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
      visibility?: VisibilityAtSource | undefined
    }
  /** Known to be unchanged (304, or the same bytes): the indexed document is kept. */
  | {
      kind: 'unchanged'
      externalId: string
      memory: PageMemory | undefined
      visibility?: VisibilityAtSource | undefined
    }
  /**
   * Left out on purpose, with a readable reason: an existing document at this address is removed at the end of a complete reading. With an
   * external id it is removed at once, in a reading of changes too.
   */
  | {
      kind: 'skipped'
      url: string
      reason: string
      memory: PageMemory | undefined
      externalId?: string | undefined
      /** The source refuses it: at the end of a complete reading its document goes at once, also while the sync is held. */
      isForbidden?: boolean | undefined
    }
  /** Could not be read this time: an existing document at this address is kept, and `memory` is still to be stored. */
  | {
      kind: 'failed'
      url: string
      reason: string
      externalId: string | undefined
      memory: PageMemory | undefined
      /** The source refuses it to this account: if its listing does not have it either, the document goes. */
      isForbidden?: boolean | undefined
      /** If that is known although the rest could not be read: a restriction counts at once. */
      visibility?: VisibilityAtSource | undefined
    }
  /** The source no longer has it: its document is removed at once. */
  | { kind: 'removed'; externalId: string }
  /**
   * Where the next reading may go on. Stored when everything before it is indexed, and given back as `input.cursor`: JSON of at most
   * `MAX_CURSOR_CHARACTERS`.
   */
  | { kind: 'cursor'; cursor: Record<string, unknown> }
  /**
   * The whole source was seen: documents that were not mentioned are removed. `isEverything`: although `input.cursor` was given, each item
   * of the source was mentioned. Yielded before the cursor, so that a crash after it does not forget what is gone.
   */
  | { kind: 'complete'; isEverything?: true }

export type SourceItems = AsyncGenerator<SourceItem, void, void>

/**
 * Who sees an item at its source. A restricted one is restricted here, whatever its source is set to. A connector that cannot tell leaves
 * it out.
 */
export type VisibilityAtSource = 'restricted' | 'as-source'

export const MAX_CURSOR_CHARACTERS = 65_536

/** An item of the complete list of a source. */
export interface ListedItem {
  externalId: string
  /** Differs whenever the item has to be read again: its time of change, and who may see it. See `markerMemory`. */
  changed: string
}

export type ListedItems = AsyncGenerator<ListedItem, void, void>

/** What an account may do at a source: shown before the source is saved. */
export interface SourceAccess {
  /** Who the service is there: a name, an address. */
  account: string
  /** What it can read, one sentence each. */
  sees: string[]
  /** What it lacks, and where to change it, one sentence each. */
  missing: string[]
}

/** Credentials of a source. Stored sealed; in no record, error or log. */
export interface SourceCredentials {
  user?: string | undefined
  password?: string | undefined
  ssh_private_key?: string | undefined
  /** A key or token of an API. */
  token?: string | undefined
  /** The account that `token` belongs to, where an API asks for both. */
  email?: string | undefined
  /** An application of an API: its id, its secret, and what renews its tokens. */
  client_id?: string | undefined
  client_secret?: string | undefined
  refresh_token?: string | undefined
  /** What was last renewed with `refresh_token`, and until when it is valid (ISO 8601). */
  access_token?: string | undefined
  access_token_expires_at?: string | undefined
  /** Parameters to add to its address, e.g. `token`. */
  query?: Record<string, string> | undefined
}

/** Access with tokens that are made, and made again, for the account of a source. */
export interface AccountAccess {
  /** Names the account, for what is shared by all that use it. */
  account: string
  /** Where its tokens are sent, and nowhere else. */
  origins: readonly string[]
  /**
   * A token that is valid for a while.
   * @throws SourceFailure if there is none: the message tells what to do
   */
  token(signal: AbortSignal): Promise<string>
  /** Another one, after the platform did not accept this one; undefined: there is no other. */
  renew(refused: string, signal: AbortSignal): Promise<string | undefined>
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
  /** The connected account that it is read with; it stands for credentials. */
  access?: AccountAccess | undefined
  sourceId: string
  /** For whom it is read, where capacity is shared. */
  owner: Owner
  respectRobotsTxt: boolean
  signal: AbortSignal
  /** A user waits for the result, as for a preview: its pages are parsed before those of syncs. */
  isAwaited?: boolean
  /** Where the previous reading ended. Undefined: the source, or how it is indexed, is new or changed; everything is to be read. */
  cursor?: unknown
  /**
   * Stores renewed credentials, before they are used: a refresh token may be valid once. Undefined for a preview, which stores nothing.
   * Throws a `SourceFailure` if the owner changed them meanwhile.
   */
  saveCredentials?(next: SourceCredentials): Promise<void>
  /** What the previous sync remembered of an address. Undefined if its document is no longer in the index. */
  recall(url: string): Promise<PageMemory | undefined>
  /** Called with what is learnt of the source as a whole. A preview shows it. */
  onDetected?(facts: Partial<DetectedFacts>): void
  /** Called for what was never part of the source: links to other hosts, images. A preview shows them, a sync does not. */
  onLeftOut?(url: string, reason: string): void
  /**
   * Called for what the source has, and a limit of this service leaves out: the sync warns of it.
   *
   * @param limit a sentence, the same for everything that this limit leaves out
   * @param place the address or path at which it was reached
   */
  onLimit?(limit: string, place: string): void
}

/**
 * Reads one kind of source.
 *
 * `read` yields the whole source and then `complete`, or what changed since `input.cursor` and a new cursor. It throws a `SourceFailure` if
 * the source as a whole cannot be read, and `SourcePaused` if it has to wait too long.
 */
export interface Connector<Config> {
  type: string
  /** What the account may no longer read looks as if it were gone: a removal is then a restriction too, and is never put off. */
  hidesAsGone?: boolean
  /** It reads without an account: what it may read, everyone may. */
  readsAsStranger?: boolean
  read(input: ConnectorInput<Config>): SourceItems
  /**
   * Every item that the source has now. For a source whose changes do not tell what was deleted: items that are new or changed are then
   * read with `readItems`, and documents that are not listed are removed; many at once only if the owner accepts it.
   */
  list?(input: ConnectorInput<Config>): ListedItems
  /**
   * Reads these items, in any order: one item for each; `removed` for those that are gone. Those that failed last time come first. There may
   * be many: a connector asks its product in parts.
   */
  readItems?(input: ConnectorInput<Config>, externalIds: readonly string[]): SourceItems
  /** Reads these addresses of the source alone: without following links, and without `complete`. */
  readAddresses?(input: ConnectorInput<Config>, addresses: readonly string[]): SourceItems
  /** Who the service is at the source, what it sees, and what is missing. Throws a `SourceFailure` if it may not read it at all. */
  check?(input: ConnectorInput<Config>): Promise<SourceAccess>
}

/** The memory of an item that is compared with `ListedItem.changed`. */
export const markerMemory = (externalId: string, changed: string, isDocument = true): PageMemory => ({
  url: externalId,
  etag: changed,
  lastModified: undefined,
  bodyHash: undefined,
  externalId: isDocument ? externalId : undefined,
  state: {},
})

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

/** The source asks to wait longer than a sync waits. What was read is kept, and the next sync goes on from the last cursor. */
export class SourcePaused extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(redactAddresses(message), { cause: options.cause })
    this.name = 'SourcePaused'
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

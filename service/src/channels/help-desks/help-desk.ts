import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials, OwnerFields } from '../integrations/integrations.ts'
import type { HookPlatform } from '../platform-hooks/platform-hooks.ts'
import type { PostOutcome } from '../platform-posts/platform-posts.ts'
import type { DeskIncoming } from './desk-incoming.ts'

/** The account of this service at a help desk. */
export interface DeskAccount {
  credentials: Credentials
  config: Record<string, unknown>
  fetchOutbound: Outbound['fetchOutbound']
  signal: AbortSignal
}

/** Who wrote: the customer, a person of the team, or this service. */
export type DeskAuthor = 'customer' | 'team' | 'us'

/** A message of a ticket. Everything in it is untrusted. */
export interface DeskMessage {
  /** Of the help desk. */
  id: string
  by: DeskAuthor
  /** Customers do not see internal notes. */
  isInternal: boolean
  /** Sent by a program: an absence, a bounce, a mailing list. */
  isAutomatic: boolean
  /** Plain text; what it quotes may still be in it. */
  text: string
}

export interface DeskTicket {
  subject: string
  /** In their order, oldest first. */
  messages: readonly DeskMessage[]
  /** Whether people still expect something on it. */
  isOpen: boolean
  /** Whether it belongs to the part of the help desk that is automated here. */
  isOurs: boolean
  /** As long as this service has it, people do not hear of what its customer writes. */
  isHeldHere?: boolean
  /** Another one after each change of what decides about an answer: what was said, the status, whose the ticket is, and whether it is ours. */
  etag: string
}

/** What is done on a ticket. Texts are plain. */
export type DeskAct =
  /** Customers get it. */
  | { do: 'reply'; text: string }
  /** The team reads it. */
  | { do: 'note'; text: string }
  /** The team takes over: `to` is whom the owner chose. */
  | { do: 'hand_over'; to: string; text: string }
  /** Only marks it, so that people find it. */
  | { do: 'mark'; mark: 'unanswered' }

/** A ticket for the team, without a customer. */
export interface NewDeskTicket {
  subject: string
  text: string
}

/** A reading that failed, in words for the owner of the integration. */
export class DeskFailure extends Error {
  override readonly name = 'DeskFailure'
  /** There is more of it than is read. */
  readonly isTooLarge: boolean
  /** The account may not see it; some help desks say so of what is not there. */
  readonly isForbidden: boolean
  /** Its credentials, or a token that was made with them, are not accepted. */
  readonly isUnauthorized: boolean

  constructor(
    message: string,
    given: { isTooLarge?: boolean; isForbidden?: boolean; isUnauthorized?: boolean } = {},
  ) {
    super(message)
    this.isTooLarge = given.isTooLarge ?? false
    this.isForbidden = given.isForbidden ?? false
    this.isUnauthorized = given.isUnauthorized ?? false
  }
}

export interface DeskCheck {
  /** The account that the credentials open; undefined if they open none. */
  account: string | undefined
  problems: string[]
}

/** Everything that differs between help desks. */
export interface HelpDesk {
  /** What its integrations may handle. */
  handles: 'tickets' | 'chats'
  /** Milliseconds between two posts to one ticket. */
  spacingMs: number
  /** A note is a draft that a person sends on: without words of ours around it. */
  keepsDrafts?: boolean
  /** How it tells of changes. */
  hook?: HookPlatform<DeskIncoming>
  /**
   * The tickets that changed since the cursor, and the next cursor: where it tells nothing, and also where hooks tell of most changes. Without a
   * cursor it returns no tickets: what was there before is left to people.
   *
   * @throws DeskFailure
   */
  changes?(
    cursor: string | undefined,
    account: DeskAccount,
  ): Promise<{ ticketIds: readonly string[]; cursor: string }>
  /** Milliseconds between two readings of what changed, if not the usual. */
  readEveryMs?: number
  /** Undefined if it is gone. @throws DeskFailure */
  ticket(id: string, account: DeskAccount): Promise<DeskTicket | undefined>
  /** Does something on a ticket that has not changed since `etag`; everything that the help desk or the network does is an outcome. */
  post(id: string, act: DeskAct, etag: string, account: DeskAccount): Promise<PostOutcome>
  /** Opens a ticket; everything that the help desk or the network does is an outcome. */
  open?(ticket: NewDeskTicket, account: DeskAccount): Promise<PostOutcome>
  /** Whether the credentials work, and what is missing. */
  check(account: DeskAccount): Promise<DeskCheck>
  /** What its owner enters there, and here. */
  setup: { credentials: OwnerFields; settings: OwnerFields }
}

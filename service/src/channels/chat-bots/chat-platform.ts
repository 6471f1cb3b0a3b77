import type { Citation } from '@citewell/contract/chat'
import type { BotCheck, BotSetup } from '@citewell/contract/bot-connections'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials, OwnerFields } from '../integrations/integrations.ts'
import type { HookPlatform, PlatformEvent } from '../platform-hooks/platform-hooks.ts'
import type { PostOutcome } from '../platform-posts/platform-posts.ts'
import type { ChatIncoming, ReplyPlace } from './chat-incoming.ts'

/** An answer as it is shown in a chat. */
export interface ShownAnswer {
  /** Written by a model, or quoted from pages: untrusted. */
  markdown: string
  citations: readonly Citation[]
  /** What is rated; undefined if the answer cannot be rated. */
  messageId: string | undefined
  /** Whether a person can be asked for. */
  offersPerson?: boolean
}

/** A bot's account at its platform. */
export interface BotAccount {
  credentials: Credentials
  config: Record<string, unknown>
  fetchOutbound: Outbound['fetchOutbound']
  openSocket: Outbound['openSocket']
  signal: AbortSignal
}

/** The platform refuses the connection of a bot, in words for its owner. */
export class PlatformRefusal extends Error {
  override readonly name = 'PlatformRefusal'
  /** When it may be tried again by itself; undefined: soon, as after any failure. */
  readonly againAfterMs: number | undefined

  constructor(message: string, { againAfterMs }: { againAfterMs?: number } = {}) {
    super(message)
    this.againAfterMs = againAfterMs
  }
}

/**
 * Hears what is said to a bot until the connection ends. Returns what the next connection begins with, so that nothing is lost between them.
 *
 * @throws PlatformRefusal, OutboundFailure
 */
export type Listening = (
  account: BotAccount,
  given: {
    /** Ends when the event is stored, or was a repetition. */
    heard: (event: PlatformEvent<ChatIncoming>) => Promise<void>
    /** Called when it hears. */
    connected: () => void
    resumption: unknown
  },
) => Promise<unknown>

/** An answer that is shown while it is written. What a call throws is no error: the answer does not depend on it. */
export interface LiveReply {
  /** Milliseconds between two calls of `show`, as the platform allows it. May change with `begin`. */
  everyMs: number
  /**
   * Shows that an answer begins, and nothing of it. Returns what the platform calls it; undefined if it is not shown, or not known; empty if
   * it goes by itself, so that nothing has to take its place.
   */
  begin(): Promise<string | undefined>
  /** Shows what is written so far: untrusted. Returns whether it may be called again. The signal says that nobody needs it any more. */
  show(text: string, unneeded: AbortSignal): Promise<boolean>
  /** All that may be seen of it, where the platform requires it of the answer; it is not stored. */
  shown?(): string
}

/** A message that shows an answer live. */
export interface Draft {
  /** What the platform calls it. */
  ref: string
  /** All that may be seen of it; undefined if another process showed it, or if nobody asks. */
  shown: string | undefined
}

/** Everything that differs between chat platforms. */
export interface ChatPlatform extends HookPlatform<ChatIncoming> {
  /** Milliseconds between two posts to one place. */
  spacingMs: number
  /** Where the platform sends nothing to a hook: this service opens the connection. */
  listen?: Listening
  /** Whether it does so for this bot; if it is not said, for all. */
  isHeard?(bot: Pick<BotAccount, 'credentials' | 'config'>): boolean
  /** What is heard over a connection comes besides what is sent to the hook, not instead of it. */
  hearsBesideHook?: true
  /** Bots with the same value would hear the same, or a part of it each: only the oldest of them is listened to. Empty: it has no account. */
  connectionOf?(bot: Pick<BotAccount, 'credentials'>): string
  /** The posts of an answer, in the platform's own form and within its lengths. */
  render(answer: ShownAnswer, place: ReplyPlace): unknown[]
  /** A place in which a channel is told that somebody wants a person. Undefined if this is no channel of the platform. */
  placeOf(channel: string, asked: ReplyPlace): ReplyPlace | undefined
  /** Where the conversation is read. */
  linkTo?(place: ReplyPlace, account: BotAccount): Promise<string | undefined>
  /** The posts that end the sign of an answer being written, if nothing is said. */
  withdraw?(place: ReplyPlace): unknown[]
  /** Shows that an answer is being written. Its failure is not an error. */
  showWorking?(place: ReplyPlace, account: BotAccount): Promise<void>
  /** Shows an answer while it is written; undefined where that cannot be. */
  live?(place: ReplyPlace, account: BotAccount): LiveReply | undefined
  /** One of the posts that `render` made, in the place of what was shown live. */
  inPlaceOf?(body: unknown, draft: Draft): unknown
  /** Whether a post shows itself once however often it is sent. */
  isRepeatable?(body: unknown): boolean
  /** Sends one of the posts that `render` made. */
  post(body: unknown, account: BotAccount): Promise<PostOutcome>
  /** Whether the credentials work, and what is missing. */
  check(
    account: BotAccount,
    hookUrl: string,
    base: { isInternal: boolean },
  ): Promise<Omit<BotCheck, 'hook_url'>>
  /** What its owner enters at the platform, and here. */
  setup(given: {
    hookUrl: string
    name: string
    knowledgeBaseName: string
    /** Those that are stored. */
    credentials: Credentials
  }): Pick<BotSetup, 'manifest'> & { credentials: OwnerFields; settings: OwnerFields }
}

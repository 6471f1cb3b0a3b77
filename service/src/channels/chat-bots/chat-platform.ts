import type { Citation } from '@citewell/contract/chat'
import type { BotCheck, BotSetup } from '@citewell/contract/bot-connections'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../integrations/integrations.ts'
import type { HookPlatform } from '../platform-hooks/platform-hooks.ts'
import type { PostOutcome } from '../platform-posts/platform-posts.ts'
import type { ChatIncoming, ReplyPlace } from './chat-incoming.ts'

/** An answer as it is shown in a chat. */
export interface ShownAnswer {
  /** Written by a model, or quoted from pages: untrusted. */
  markdown: string
  citations: readonly Citation[]
  /** What is rated; undefined if the answer cannot be rated. */
  messageId: string | undefined
}

/** A bot's account at its platform. */
export interface BotAccount {
  credentials: Credentials
  config: Record<string, unknown>
  fetchOutbound: Outbound['fetchOutbound']
  signal: AbortSignal
}

/** Everything that differs between chat platforms. */
export interface ChatPlatform extends HookPlatform<ChatIncoming> {
  /** Milliseconds between two posts to one place. */
  spacingMs: number
  /** The posts of an answer, in the platform's own form and within its lengths. */
  render(answer: ShownAnswer, place: ReplyPlace): unknown[]
  /** The posts that end the sign of an answer being written, if nothing is said. */
  withdraw?(place: ReplyPlace): unknown[]
  /** Shows that an answer is being written. Its failure is not an error. */
  showWorking?(place: ReplyPlace, account: BotAccount): Promise<void>
  /** Sends one of the posts that `render` made. */
  post(body: unknown, account: BotAccount): Promise<PostOutcome>
  /** Whether the credentials work, and what is missing. */
  check(account: BotAccount, hookUrl: string): Promise<Omit<BotCheck, 'hook_url'>>
  /** What its owner enters at the platform, and here. */
  setup(given: {
    hookUrl: string
    name: string
    knowledgeBaseName: string
  }): Pick<BotSetup, 'settings' | 'manifest'> & { credentials: { name: string; description: string }[] }
}

import type { KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { LIMITS } from '@citewell/contract/limits'
import { createQuestion } from '../../answers/answering/answering.ts'
import { truncateText } from '../../kernel/cut-text.ts'
import type { IntegrationRow } from '../integrations/integrations.ts'
import type { TakenEvent } from '../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from './chat-incoming.ts'
import type { ChatPlatform } from './chat-platform.ts'

/** Something that was said in a chat, with everything that decides what is done. */
export interface SaidInChat {
  event: TakenEvent<ChatIncoming>
  integration: IntegrationRow
  platform: ChatPlatform
  base: KnowledgeBaseRow
  signal: AbortSignal
}

/** A question of a conversation, for an anonymous asker: a bot does not check who asks. */
export function questionIn(
  { base, integration }: Pick<SaidInChat, 'base' | 'integration'>,
  conversation: string,
  given: { text: string; threadId: string | undefined },
) {
  return createQuestion(base, {
    query: truncateText(given.text, LIMITS.query),
    threadId: given.threadId,
    // On an internal base it answers everyone in the channel, as its record says.
    includeRestricted: base.type === 'internal',
    asker: {
      surface: 'bot',
      clientKeyId: undefined,
      // The conversation is that of the thread, whoever asks in it.
      userRef: `${integration.id}:${conversation}`,
    },
  })
}

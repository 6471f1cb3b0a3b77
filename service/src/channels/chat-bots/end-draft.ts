import type { IntegrationRow } from '../integrations/integrations.ts'
import type { TakenEvent } from '../platform-hooks/platform-hooks.ts'
import type { ChatIncoming, ReplyPlace } from './chat-incoming.ts'
import type { BotAccount, ChatPlatform, Draft, ShownAnswer } from './chat-platform.ts'

/** A service that stops waits for it. */
const TIMEOUT_MS = 5_000

/** What is shown instead of an answer that was begun. */
export const UNFINISHED: ShownAnswer = {
  markdown: 'This answer could not be finished. Please ask again.',
  citations: [],
  messageId: undefined,
}

/** The posts with the first of them in the place of a message that was shown live. */
export function inPlaceOfDraft(bodies: readonly unknown[], draft: Draft, platform: ChatPlatform): unknown[] {
  const [first, ...others] = bodies
  if (draft.ref === '' || first === undefined || platform.inPlaceOf === undefined) return [...bodies]
  return [platform.inPlaceOf(first, draft), ...others]
}

export interface EndDraftDeps {
  platformOf: (integration: IntegrationRow) => ChatPlatform | undefined
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => BotAccount
}

/**
 * Ends the draft of an answer that nobody writes any more, also when the service stops or the bot was switched off: readers would wait for
 * the rest of it. One attempt, and no new message.
 */
export async function endDraft(
  { incoming, live }: TakenEvent<ChatIncoming>,
  integration: IntegrationRow,
  { platformOf, accountOf }: EndDraftDeps,
): Promise<void> {
  const platform = platformOf(integration)
  if (platform?.inPlaceOf === undefined || incoming.kind !== 'question') return
  if (live.ref === undefined || live.ref === '') return
  const place: ReplyPlace = incoming.place
  const [body] = inPlaceOfDraft(
    platform.render(UNFINISHED, place),
    { ref: live.ref, shown: undefined },
    platform,
  )
  await platform.post(body, accountOf(integration, AbortSignal.timeout(TIMEOUT_MS)))
}

import { findKnowledgeBase, type KnowledgeBaseRow } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { LIMITS } from '@citewell/contract/limits'
import { collectAnswer, createQuestion, type Answering } from '../../answers/answering/answering.ts'
import type { Feedback } from '../../answers/feedback/feedback.ts'
import { truncateText } from '../../kernel/cut-text.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { findIntegrationById, noteProblem, type IntegrationRow } from '../integrations/integrations.ts'
import type { TakenEvent } from '../platform-hooks/platform-hooks.ts'
import type { NewPost, PlatformPosts } from '../platform-posts/platform-posts.ts'
import { findThreadOf, saveThreadOf, type ChatBotsDb } from './chat-bots-store.ts'
import type { ChatIncoming, ChatQuestion } from './chat-incoming.ts'
import type { BotAccount, ChatPlatform, ShownAnswer } from './chat-platform.ts'
import { ANSWER_FAILURES } from '@citewell/contract/refusals'

export interface HandleIncomingDeps {
  db: ChatBotsDb
  answering: Pick<Answering, 'answerQuestion'>
  feedback: Pick<Feedback, 'give'>
  posts: Pick<PlatformPosts, 'record' | 'sendUnstored' | 'wake'>
  platformOf: (integration: IntegrationRow) => ChatPlatform | undefined
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => BotAccount
  now: () => Date
}

/** What is said, and the conversation that it belongs to. Undefined shows nothing. */
interface Said {
  shown: ShownAnswer | undefined
  threadId: string | undefined
}

/** Settings of a bot that are the same on every platform. */
const staysSilentIfUncovered = ({ answer_only_when_covered: setting }: Record<string, unknown>) =>
  // The dashboard stores what was typed, as text.
  setting === true || setting === 'true'

const plainly = (markdown: string): Said => ({
  shown: { markdown, citations: [], messageId: undefined },
  threadId: undefined,
})

/** Handles what people do to a bot. What is decided is recorded in the transaction that marks the event as handled; then it is posted. */
export function createIncomingHandler(deps: HandleIncomingDeps) {
  const { db, answering, feedback, posts, platformOf, accountOf, now } = deps

  async function answer(
    integration: IntegrationRow,
    base: KnowledgeBaseRow,
    asked: ChatQuestion,
    signal: AbortSignal,
  ): Promise<Said> {
    if (asked.text === '') return plainly('Ask me a question, in the same message as my name.')
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, conversation: asked.conversation }
    const question = createQuestion(base, {
      query: truncateText(asked.text, LIMITS.query),
      threadId: await findThreadOf(db, of),
      // A bot does not check who asks: on an internal base it answers everyone in the channel, as its record says.
      includeRestricted: base.type === 'internal',
      asker: {
        surface: 'bot',
        clientKeyId: undefined,
        // The conversation is that of the thread, whoever asks in it.
        userRef: `${integration.id}:${asked.conversation}`,
      },
    })
    try {
      const { text, finished, failed } = await collectAnswer(answering.answerQuestion(question, signal))
      signal.throwIfAborted()
      if (finished === undefined) {
        return plainly(failed?.because?.message ?? ANSWER_FAILURES[failed?.code ?? 'internal'].reader)
      }
      const threadId = finished.ids?.threadId
      if (!finished.covered && staysSilentIfUncovered(integration.config))
        return { shown: undefined, threadId }
      return {
        shown: { markdown: text, citations: finished.cited, messageId: finished.ids?.messageId },
        threadId,
      }
    } catch (refusal) {
      if (refusal instanceof Refusal) return plainly(refusal.message)
      throw refusal
    }
  }

  async function answerInChat(
    event: TakenEvent<ChatIncoming>,
    integration: IntegrationRow,
    asked: ChatQuestion,
    signal: AbortSignal,
  ): Promise<void> {
    const platform = platformOf(integration)
    const base = await findKnowledgeBase(db, event.knowledgeBaseId)
    if (platform === undefined || base?.status !== 'active') return await event.finish(db)
    const working = platform.showWorking?.(asked.place, accountOf(integration, signal))
    // It is only shown: the answer does not depend on it.
    void working?.catch(() => undefined)
    const { shown, threadId } = await answer(integration, base, asked, signal)
    const bodies =
      shown === undefined ? (platform.withdraw?.(asked.place) ?? []) : platform.render(shown, asked.place)
    const decided: NewPost[] = bodies.map((body) => ({
      knowledgeBaseId: base.id,
      integrationId: integration.id,
      lane: asked.lane,
      body,
    }))
    await db.transaction().execute(async (transaction: ChatBotsDb) => {
      await event.finish(transaction)
      if (threadId !== undefined) {
        const of = {
          knowledgeBaseId: base.id,
          integrationId: integration.id,
          conversation: asked.conversation,
        }
        await saveThreadOf(transaction, of, threadId, now())
      }
      if (event.isKept) await posts.record(transaction, decided)
    })
    if (event.isKept) posts.wake()
    else await posts.sendUnstored(decided, signal)
  }

  async function rate(
    event: TakenEvent<ChatIncoming>,
    messageId: string,
    vote: 'up' | 'down',
  ): Promise<void> {
    try {
      await feedback.give(event.knowledgeBaseId, { messageId, vote, comment: undefined })
    } catch (refusal) {
      // The answer is gone, or the button was never ours.
      if (!(refusal instanceof Refusal)) throw refusal
    }
    await event.finish(db)
  }

  return async (event: TakenEvent<ChatIncoming>, signal: AbortSignal): Promise<void> => {
    const { incoming, knowledgeBaseId, integrationId } = event
    const integration = await findIntegrationById(db, integrationId)
    if (integration?.enabled !== true) return await event.finish(db)
    if (incoming.kind === 'question') return await answerInChat(event, integration, incoming, signal)
    if (incoming.kind === 'rating') return await rate(event, incoming.messageId, incoming.vote)
    await noteProblem(db, { knowledgeBaseId, id: integrationId }, incoming.because, now())
    return await event.finish(db)
  }
}

import { findKnowledgeBase } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import { collectAnswer, type AnswerEvent, type Answering } from '../../answers/answering/answering.ts'
import type { Feedback } from '../../answers/feedback/feedback.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { findIntegrationById, noteProblem, type IntegrationRow } from '../integrations/integrations.ts'
import type { TakenEvent } from '../platform-hooks/platform-hooks.ts'
import { findPostedMessage, type NewPost, type PlatformPosts } from '../platform-posts/platform-posts.ts'
import { asksForPerson } from '../tickets/tickets.ts'
import { findThreadOf, saveThreadOf, type ChatBotsDb } from './chat-bots-store.ts'
import type { ChatIncoming, ChatPlace, ChatQuestion, ReplyPlace } from './chat-incoming.ts'
import type { BotAccount, ChatPlatform, ShownAnswer } from './chat-platform.ts'
import { endDraft, inPlaceOfDraft, UNFINISHED } from './end-draft.ts'
import { personTargetOf } from './hand-over.ts'
import { showLive } from './live-reply.ts'
import { createPersonCalls, type PersonCallsDeps } from './call-person.ts'
import { questionIn, type SaidInChat } from './said-in-chat.ts'
import { isSwitchedOn } from './setting-problems.ts'
import { ANSWER_FAILURES } from '@citewell/contract/refusals'

export interface HandleIncomingDeps extends Pick<PersonCallsDeps, 'conversations' | 'openingPost'> {
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
  isSwitchedOn(setting)

const plainly = (markdown: string): Said => ({
  shown: { markdown, citations: [], messageId: undefined },
  threadId: undefined,
})

/** Handles what people do to a bot. What is decided is recorded in the transaction that marks the event as handled; then it is posted. */
export function createIncomingHandler(deps: HandleIncomingDeps) {
  const { db, answering, feedback, posts, platformOf, accountOf, now } = deps
  const callPerson = createPersonCalls(deps)

  async function answer(
    said: SaidInChat,
    asked: ChatQuestion,
    tap: (events: AsyncIterable<AnswerEvent>) => AsyncIterable<AnswerEvent>,
  ): Promise<Said> {
    const { base, integration, signal } = said
    if (asked.text === '') return plainly('Ask me a question, in the same message as my name.')
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, conversation: asked.conversation }
    const { lastsMs, text: query } = asked
    const since = lastsMs === undefined ? undefined : new Date(now().getTime() - lastsMs)
    const threadId = await findThreadOf(db, of, since)
    const question = questionIn(said, asked.conversation, { text: query, threadId })
    try {
      const { text, finished, failed } = await collectAnswer(tap(answering.answerQuestion(question, signal)))
      signal.throwIfAborted()
      if (finished === undefined)
        return plainly(failed?.because?.message ?? ANSWER_FAILURES[failed?.code ?? 'internal'].reader)
      const kept = finished.ids?.threadId
      if (!finished.covered && staysSilentIfUncovered(integration.config))
        return { shown: undefined, threadId: kept }
      return {
        shown: {
          markdown: text,
          citations: finished.cited,
          messageId: finished.ids?.messageId,
          offersPerson: personTargetOf(integration.config) !== undefined,
        },
        threadId: kept,
      }
    } catch (refusal) {
      if (refusal instanceof Refusal) return plainly(refusal.message)
      throw refusal
    }
  }

  /** Only the first process shows anything: what another began is ended, and not begun again. */
  function liveReplyOf({ event, integration, platform, signal }: SaidInChat, place: ReplyPlace) {
    if (event.live.ref !== undefined || staysSilentIfUncovered(integration.config)) return undefined
    const live = platform.live?.(place, accountOf(integration, signal))
    return live && showLive(live, event.live)
  }

  async function answerInChat(said: SaidInChat, asked: ChatQuestion): Promise<void> {
    const { event, integration, platform, base, signal } = said
    const working = platform.showWorking?.(asked.place, accountOf(integration, signal))
    // It is only shown: the answer does not depend on it.
    void working?.catch(() => undefined)
    const live = liveReplyOf(said, asked.place)
    const ended = answer(said, asked, live?.tap ?? ((events) => events))
    // Also if it fails: nothing is shown any more when the event is free for the next process.
    await ended.catch(() => undefined)
    const showing = await live?.end()
    const { shown, threadId } = await ended
    const draft = showing ?? { ref: event.live.ref ?? '', shown: undefined }
    // An attempt before may have shown a draft, where now nothing is said.
    const visible = shown ?? (draft.ref === '' ? undefined : UNFINISHED)
    const bodies =
      visible === undefined ? (platform.withdraw?.(asked.place) ?? []) : platform.render(visible, asked.place)
    const decided: NewPost[] = inPlaceOfDraft(bodies, draft, platform).map((body) => ({
      knowledgeBaseId: base.id,
      integrationId: integration.id,
      lane: asked.lane,
      body,
      messageId: shown?.messageId,
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
    else await posts.sendUnstored(decided)
  }

  async function rate(
    event: TakenEvent<ChatIncoming>,
    messageId: string | undefined,
    vote: 'up' | 'down',
  ): Promise<void> {
    // A post that shows no answer, or was forgotten.
    if (messageId === undefined) return await event.finish(db)
    try {
      await feedback.give(event.knowledgeBaseId, { messageId, vote, comment: undefined })
    } catch (refusal) {
      // The answer is gone, or the button was never ours.
      if (!(refusal instanceof Refusal)) throw refusal
    }
    await event.finish(db)
  }

  /** Nothing is said, and nothing is left half said. */
  async function drop(event: TakenEvent<ChatIncoming>, integration: IntegrationRow): Promise<void> {
    await event.finish(db)
    await endDraft(event, integration, deps)
  }

  async function handleSaid(
    event: TakenEvent<ChatIncoming>,
    integration: IntegrationRow,
    incoming: ChatQuestion | (ChatPlace & { kind: 'wants_person' }),
    signal: AbortSignal,
  ): Promise<void> {
    const platform = platformOf(integration)
    const base = await findKnowledgeBase(db, event.knowledgeBaseId)
    if (platform === undefined || base?.status !== 'active') return await drop(event, integration)
    const said = { event, integration, platform, base, signal }
    if (incoming.kind === 'wants_person') return await callPerson(said, incoming)
    const isCall = personTargetOf(integration.config) !== undefined && asksForPerson(incoming.text)
    return isCall ? await callPerson(said, incoming) : await answerInChat(said, incoming)
  }

  /** What follows when an event was given up. */
  async function givenUp(event: TakenEvent<ChatIncoming>): Promise<void> {
    const integration = await findIntegrationById(db, event.integrationId)
    if (integration !== undefined) await endDraft(event, integration, deps)
  }

  async function handle(event: TakenEvent<ChatIncoming>, signal: AbortSignal): Promise<void> {
    const { incoming, knowledgeBaseId, integrationId } = event
    const integration = await findIntegrationById(db, integrationId)
    if (integration === undefined) return await event.finish(db)
    if (!integration.enabled) return await drop(event, integration)
    if (incoming.kind === 'question' || incoming.kind === 'wants_person')
      return await handleSaid(event, integration, incoming, signal)
    if (incoming.kind === 'rating') return await rate(event, incoming.messageId, incoming.vote)
    if (incoming.kind === 'rating_of_post') {
      const of = { knowledgeBaseId, integrationId, platformRef: incoming.ref }
      return await rate(event, await findPostedMessage(db, of), incoming.vote)
    }
    await noteProblem(db, { knowledgeBaseId, id: integrationId }, incoming.because, now())
    return await event.finish(db)
  }

  return { handle, givenUp }
}

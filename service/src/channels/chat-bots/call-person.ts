import type { Conversations } from '../../answers/conversations/conversations.ts'
import { findIntegrationById, type IntegrationRow } from '../integrations/integrations.ts'
import type { NewPost, PlatformPosts } from '../platform-posts/platform-posts.ts'
import { findThreadOf, insertHandOver, type ChatBotsDb } from './chat-bots-store.ts'
import type { ChatPlace } from './chat-incoming.ts'
import type { BotAccount } from './chat-platform.ts'
import { NOBODY, PASSED_ON, PASSED_ON_BEFORE, personTargetOf, transcriptOf } from './hand-over.ts'
import { questionIn, type SaidInChat } from './said-in-chat.ts'

export interface PersonCallsDeps {
  db: ChatBotsDb
  conversations: Pick<Conversations, 'history'>
  posts: Pick<PlatformPosts, 'record' | 'sendUnstored' | 'wake'>
  /** What is posted to a help desk to open a ticket; undefined if it is not one where tickets are opened. */
  openingPost: (desk: IntegrationRow, given: { subject: string; markdown: string }) => unknown
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => BotAccount
  now: () => Date
}

/** Since when what was said in a place without threads is one conversation. */
const beginningOf = ({ lastsMs }: ChatPlace, now: Date): Date | undefined =>
  lastsMs === undefined ? undefined : new Date(now.getTime() - lastsMs)

/** Passes a conversation on to a person, once: to the channel that the owner named, or as a ticket. */
export function createPersonCalls(deps: PersonCallsDeps) {
  const { db, conversations, posts, openingPost, accountOf, now } = deps

  async function transcript(said: SaidInChat, asked: ChatPlace): Promise<string> {
    const { conversation, place } = asked
    const { base, integration, platform, signal } = said
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, conversation }
    const threadId = await findThreadOf(db, of, beginningOf(asked, now()))
    const turns = await conversations.history(questionIn(said, conversation, { text: 'person', threadId }))
    // Without a link the conversation is found by its words.
    const link = await platform.linkTo?.(place, accountOf(integration, signal)).catch(() => undefined)
    return transcriptOf(turns, link)
  }

  /** What tells the person; undefined if nobody can be told. */
  async function telling(
    said: SaidInChat,
    asked: ChatPlace,
  ): Promise<{ target: string; told: NewPost[] } | undefined> {
    const { base, integration, platform } = said
    const target = personTargetOf(integration.config)
    if (target === undefined) return undefined
    const markdown = await transcript(said, asked)
    if ('channel' in target) {
      const place = platform.placeOf(target.channel, asked.place)
      if (place === undefined) return undefined
      const bodies = platform.render({ markdown, citations: [], messageId: undefined }, place)
      const of = { knowledgeBaseId: base.id, integrationId: integration.id, lane: target.channel }
      return { target: target.channel, told: bodies.map((body) => ({ ...of, body })) }
    }
    const desk = await findIntegrationById(db, target.helpdeskId)
    if (desk?.knowledge_base_id !== base.id || !desk.enabled) return undefined
    const subject = `Somebody asked for a person in ${integration.name}`
    const body = openingPost(desk, { subject, markdown })
    if (body === undefined) return undefined
    const lane = `person ${integration.id} ${asked.conversation}`.slice(0, 200)
    return {
      target: desk.id,
      told: [{ knowledgeBaseId: base.id, integrationId: desk.id, lane, body }],
    }
  }

  return async (said: SaidInChat, asked: ChatPlace): Promise<void> => {
    const { event, base, integration, platform } = said
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, conversation: asked.conversation }
    const reply = (markdown: string): NewPost[] =>
      platform
        .render({ markdown, citations: [], messageId: undefined }, asked.place)
        .map((body) => ({ knowledgeBaseId: base.id, integrationId: integration.id, lane: asked.lane, body }))
    const call = await telling(said, asked)
    let decided = reply(NOBODY)
    await db.transaction().execute(async (transaction: ChatBotsDb) => {
      await event.finish(transaction)
      if (call !== undefined) {
        const isFirst = await insertHandOver(transaction, of, call.target, now(), beginningOf(asked, now()))
        decided = isFirst ? [...call.told, ...reply(PASSED_ON)] : reply(PASSED_ON_BEFORE)
      }
      if (event.isKept) await posts.record(transaction, decided)
    })
    if (event.isKept) posts.wake()
    else await posts.sendUnstored(decided)
  }
}

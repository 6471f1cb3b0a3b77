import type { Conversations } from '../../answers/conversations/conversations.ts'
import { HOUR_MS } from '../../kernel/duration.ts'
import type { IntegrationRow } from '../integrations/integrations.ts'
import type { NewPost, PlatformPosts } from '../platform-posts/platform-posts.ts'
import {
  countOtherHandOvers,
  findThreadOf,
  insertHandOver,
  type ChatBotsDb,
  type OneConversation,
} from './chat-bots-store.ts'
import type { ChatPlace } from './chat-incoming.ts'
import type { BotAccount } from './chat-platform.ts'
import type { HandOverNote } from './hand-over-ended.ts'
import {
  MOST_HAND_OVERS_AN_HOUR,
  NOBODY,
  NOT_PASSED_ON,
  PASSED_ON,
  PASSED_ON_BEFORE,
  personTargetOf,
  TOO_MANY,
  transcriptOf,
  UNCERTAIN,
} from './hand-over.ts'
import { openPersonDesk, type OpeningPost } from './person-desk.ts'
import { questionIn, type SaidInChat } from './said-in-chat.ts'

export interface PersonCallsDeps {
  db: ChatBotsDb
  conversations: Pick<Conversations, 'history'>
  posts: Pick<PlatformPosts, 'record' | 'sendUnstored' | 'wake'>
  openingPost: OpeningPost
  accountOf: (integration: IntegrationRow, signal: AbortSignal) => BotAccount
  now: () => Date
}

/** Since when what was said in a place without threads is one conversation. */
const beginningOf = ({ lastsMs }: ChatPlace, now: Date): Date | undefined =>
  lastsMs === undefined ? undefined : new Date(now.getTime() - lastsMs)

/** Passes a conversation on to a person, once: to the channel that the owner named, or as a ticket. */
export function createPersonCalls(deps: PersonCallsDeps) {
  const { db, conversations, posts, accountOf, now } = deps

  async function transcript(said: SaidInChat, asked: ChatPlace): Promise<string> {
    const { conversation, place } = asked
    const { base, integration, platform, signal } = said
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, conversation }
    const threadId = await findThreadOf(db, of, beginningOf(asked, now()))
    const turns = await conversations.history(questionIn(said, conversation, { text: 'person', threadId }))
    // Without a link the conversation is found by its words.
    const link = await platform.linkTo?.(place, accountOf(integration, signal)).catch(() => undefined)
    return transcriptOf(turns, { link, asker: asked.asker })
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
    const subject = `Somebody asked for a person in ${integration.name}`
    const given = { subject, markdown }
    const desk = await openPersonDesk(
      deps,
      { knowledgeBaseId: base.id, helpdeskId: target.helpdeskId },
      given,
    )
    if (desk === undefined) return undefined
    const { deskId, body } = desk
    const lane = `person ${integration.id} ${asked.conversation}`.slice(0, 200)
    return { target: deskId, told: [{ knowledgeBaseId: base.id, integrationId: deskId, lane, body }] }
  }

  /** What is posted if a person can be told. The one who asked is answered when it is known whether that arrived. */
  async function decide(
    transaction: ChatBotsDb,
    call: { target: string; told: NewPost[] },
    { of, asked, reply }: { of: OneConversation; asked: ChatPlace; reply: (markdown: string) => NewPost[] },
  ): Promise<NewPost[]> {
    const hourAgo = new Date(now().getTime() - HOUR_MS)
    const many = await countOtherHandOvers(transaction, of, hourAgo)
    if (many >= MOST_HAND_OVERS_AN_HOUR) return reply(TOO_MANY)
    const isFirst = await insertHandOver(transaction, of, call.target, now(), beginningOf(asked, now()))
    if (!isFirst) return reply(PASSED_ON_BEFORE)
    const bodiesOf = (markdown: string) => reply(markdown).map(({ body }) => body)
    const note: HandOverNote = {
      about: 'hand_over',
      ...of,
      lane: asked.lane,
      passedOn: bodiesOf(PASSED_ON),
      notPassedOn: bodiesOf(NOT_PASSED_ON),
      uncertain: bodiesOf(UNCERTAIN),
    }
    // The first one names the conversation: what follows it is only more of its words.
    return call.told.map((post, at) => (at === 0 ? { ...post, note } : post))
  }

  return async (said: SaidInChat, asked: ChatPlace): Promise<void> => {
    const { event, base, integration, platform } = said
    const of = { knowledgeBaseId: base.id, integrationId: integration.id, conversation: asked.conversation }
    const reply = (markdown: string): NewPost[] =>
      platform
        .render({ markdown, citations: [], messageId: undefined }, asked.place)
        .map((body) => ({ knowledgeBaseId: base.id, integrationId: integration.id, lane: asked.lane, body }))
    const call = await telling(said, asked)
    const decided = await db.transaction().execute(async (transaction: ChatBotsDb) => {
      await event.finish(transaction)
      const posted =
        call === undefined ? reply(NOBODY) : await decide(transaction, call, { of, asked, reply })
      if (event.isKept) await posts.record(transaction, posted)
      return posted
    })
    if (event.isKept) posts.wake()
    else await posts.sendUnstored(decided)
  }
}

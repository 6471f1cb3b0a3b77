import { z } from 'zod'
import { outcomeOfFault, unconfirmed, type PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { GROUP_WAIT_MS, takesMessage } from './group-pace.ts'
import {
  callTelegram,
  isRefused,
  isTaken,
  TOKEN_REFUSED,
  waitMs,
  type TelegramAnswer,
} from './telegram-api.ts'

const Post = z.object({
  chat_id: z.string().min(1).max(100),
  message: z.record(z.string(), z.unknown()),
  as_new: z.record(z.string(), z.unknown()),
  /** The message that showed the answer while it was written, and becomes it. */
  edits: z.int().optional(),
})

type Post = z.infer<typeof Post>

export const MessageId = z.looseObject({ message_id: z.int() })

/** Whether a post makes an answer of a message that was shown live: that may be repeated. */
export const isEndOfLive = (body: unknown): boolean => Post.safeParse(body).data?.edits !== undefined

/** What Telegram says of chats where the bot may not write, in words for its owner. */
const PROBLEMS: readonly [RegExp, string][] = [
  [/blocked by the user/, 'Who asked has blocked the bot in Telegram: their question was not answered.'],
  [
    /user is deactivated/,
    'Who asked has deleted their account at Telegram: their question was not answered.',
  ],
  [
    /kicked|not a member|chat not found/,
    'The bot is not in the Telegram group where it was asked, or that is its person_channel: it was removed, or never added. Add it under the members of the group.',
  ],
  [
    /not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|need administrator rights/,
    'Telegram does not let the bot write in a group: its members may not write there. Make the bot an administrator, or allow members to write.',
  ],
  [
    /TOPIC_CLOSED|thread not found|TOPIC_DELETED/,
    'The topic in which the bot was asked in Telegram is closed or deleted. To answer in closed topics, it has to be an administrator who may manage topics.',
  ],
]

function problemOf({ status, body }: TelegramAnswer): string {
  if (status === 401 || status === 404) return TOKEN_REFUSED
  const [, because] = PROBLEMS.find(([words]) => words.test(body?.description ?? '')) ?? []
  return because ?? `Telegram refused an answer (HTTP ${status}).`
}

const NOT_MODIFIED = /message is not modified/
const CANNOT_BE_EDITED = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/

/** What became of a request that Telegram did not take, if that is the same for new messages and for edits. */
function outcomeOfRefusal(answer: TelegramAnswer, post: Post): PostOutcome {
  const { status, body } = answer
  if (status === 429) return { is: 'wait', ms: waitMs(answer) }
  const movedTo = body?.parameters?.migrate_to_chat_id
  // A group that became a supergroup has another id, and its messages too.
  if (movedTo !== undefined) {
    const { message_thread_id: _, reply_parameters: __, ...asNew } = post.as_new
    return { is: 'instead', body: { chat_id: String(movedTo), message: post.message, as_new: asNew } }
  }
  return { is: 'failed', because: problemOf(answer) }
}

async function edit(post: Post & { edits: number }, account: BotAccount): Promise<PostOutcome> {
  const { chat_id, message, edits } = post
  const answer = await callTelegram('editMessageText', { chat_id, message_id: edits, ...message }, account)
  const description = answer.body?.description ?? ''
  if (isTaken(answer) || NOT_MODIFIED.test(description)) return { is: 'posted', ref: `${chat_id}:${edits}` }
  if (CANNOT_BE_EDITED.test(description)) {
    const { edits: _, ...asNew } = post
    return { is: 'instead', body: asNew }
  }
  return isRefused(answer) || answer.status === 429 ? outcomeOfRefusal(answer, post) : { is: 'again' }
}

async function send(post: Post, account: BotAccount): Promise<PostOutcome> {
  const { chat_id, message, as_new } = post
  const answer = await callTelegram('sendMessage', { chat_id, ...message, ...as_new }, account)
  if (isTaken(answer)) {
    const id = MessageId.safeParse(answer.body?.result).data?.message_id
    return { is: 'posted', ref: id === undefined ? undefined : `${chat_id}:${id}` }
  }
  if (isRefused(answer) || answer.status === 429) return outcomeOfRefusal(answer, post)
  return { is: 'unknown', because: unconfirmed('Telegram') }
}

/** Posts a message, or makes it of one that was shown live; everything that Telegram or the network does is an outcome. */
export async function postToTelegram(body: unknown, account: BotAccount): Promise<PostOutcome> {
  const post = Post.parse(body)
  const { edits } = post
  if (!takesMessage(post.chat_id, account)) return { is: 'wait', ms: GROUP_WAIT_MS }
  try {
    return edits === undefined ? await send(post, account) : await edit({ ...post, edits }, account)
  } catch (fault) {
    return outcomeOfFault(fault, { platform: 'Telegram', isRepeatable: edits !== undefined })
  }
}

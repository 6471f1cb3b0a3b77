import { z } from 'zod'
import {
  startStandIn,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'
import {
  EditMessageText,
  faultOfMessage,
  mentionsIn,
  SendMessage,
  type ShownEntity,
} from './telegram-message-rules.ts'
import { createTelegramReception, refusal, taken, type TelegramReception } from './telegram-reception.ts'

export interface TelegramMessage {
  chat_id: string
  message_id: number
  text: string
  entities: ShownEntity[]
  /** Data of its buttons. */
  buttons: string[]
  replyTo: number | undefined
  thread: number | undefined
  isSilent: boolean
  /** What it said before. */
  edits: string[]
  /** `performance.now()`. */
  at: number
}

interface Draft {
  chat_id: number
  draft_id: number
  texts: string[]
}

/** Why a bot may not write into a chat, in the words of Telegram. */
type Bar = 'blocked' | 'kicked' | 'read only' | 'closed topic' | 'moved'

const BARS: Record<Bar, StandInAnswer> = {
  blocked: refusal(403, 'Forbidden: bot was blocked by the user'),
  kicked: refusal(403, 'Forbidden: bot was kicked from the supergroup chat'),
  'read only': refusal(400, 'Bad Request: not enough rights to send text messages to the chat'),
  'closed topic': refusal(400, 'Bad Request: TOPIC_CLOSED'),
  moved: refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
    migrate_to_chat_id: -100_777,
  }),
}

export interface TelegramStandIn extends StandInServer {
  credentials: { bot_token: string }
  bot: { id: number; username: string }
  messages: TelegramMessage[]
  drafts: Draft[]
  /** Chats and topics that show that the bot writes. */
  typing: string[]
  /** Names of people that Telegram made mentions of: they were notified. */
  mentioned: string[]
  /** Presses on buttons that were confirmed, with the words for who pressed. */
  confirmed: { id: string; text: string | undefined }[]
  /** Chats where the bot may not write. */
  barred: Map<string, Bar>
  /** Messages of people that were deleted, and of the bot. */
  deleted: Set<number>
  /** Groups that got more than twenty messages in a minute. */
  refusedAsTooMany: string[]
  commands: string[]
  /** The last failure to send to it. */
  failure: { at: number; because: string } | undefined
  /** Whether there are drafts. */
  hasDrafts: boolean
  isRevoked: boolean
  losesAnswer: boolean
  reception: TelegramReception
}

const SendDraft = z.strictObject({
  chat_id: z.int(),
  draft_id: z.int().refine((id) => id !== 0),
  text: z.string().min(1).max(4_096),
  message_thread_id: z.int().optional(),
})

const Command = z.strictObject({
  command: z.string().regex(/^[a-z0-9_]{1,32}$/),
  description: z.string().min(1).max(256),
})

const MINUTE_MS = 60_000

/** The Bot API as far as a bot uses it: stateful and strict. */
export async function startTelegramStandIn(
  given: { token?: string; username?: string } = {},
): Promise<TelegramStandIn> {
  const { token = '4242:AAF-stand_in_token_of_35_characters', username = 'docs_bot' } = given
  const bot = { id: Number(token.split(':', 1)[0]), username }
  const messages: TelegramMessage[] = []
  const state = { made: 9_000 }
  const reception = createTelegramReception()
  /** When messages went into a group. */
  const sent = new Map<string, number[]>()

  /** Twenty a minute in a group. */
  function isTooMuch(chat: string): boolean {
    if (!chat.startsWith('-')) return false
    const now = performance.now()
    const recent = (sent.get(chat) ?? []).filter((at) => now - at < MINUTE_MS)
    sent.set(chat, [...recent, now])
    return recent.length >= 20
  }

  function tooMany(chat: string): StandInAnswer {
    standIn.refusedAsTooMany.push(chat)
    return refusal(429, 'Too Many Requests: retry after 3', { retry_after: 3 })
  }

  function confirm(answer: StandInAnswer): StandInAnswer {
    if (!standIn.losesAnswer) return answer
    standIn.losesAnswer = false
    return { hangsUp: true, body: undefined }
  }

  const shown = ({ chat_id, message_id, text }: TelegramMessage) =>
    taken({ message_id, date: 1, text, from: { ...bot, is_bot: true }, chat: { id: Number(chat_id) } })

  function sendMessage(body: unknown): StandInAnswer {
    const message = SendMessage.safeParse(body)
    if (!message.success) return refusal(400, `Bad Request: ${message.error.message}`)
    const { chat_id, reply_parameters: reply, entities = [], reply_markup: markup, text } = message.data
    const bar = standIn.barred.get(chat_id)
    if (bar !== undefined) return BARS[bar]
    if (isTooMuch(chat_id)) return tooMany(chat_id)
    const fault = faultOfMessage(message.data)
    if (fault !== undefined) return refusal(400, `Bad Request: ${fault}`)
    const isGone = reply !== undefined && standIn.deleted.has(reply.message_id)
    if (isGone && reply.allow_sending_without_reply !== true)
      return refusal(400, 'Bad Request: message to be replied not found')
    state.made += 1
    const made: TelegramMessage = {
      chat_id,
      message_id: state.made,
      text,
      entities,
      buttons: markup?.inline_keyboard.flat().map(({ callback_data: data }) => data) ?? [],
      replyTo: isGone ? undefined : reply?.message_id,
      thread: message.data.message_thread_id,
      isSilent: message.data.disable_notification === true,
      edits: [],
      at: performance.now(),
    }
    messages.push(made)
    standIn.mentioned.push(...mentionsIn(text, entities))
    return confirm(shown(made))
  }

  function editMessageText(body: unknown): StandInAnswer {
    const edit = EditMessageText.safeParse(body)
    if (!edit.success) return refusal(400, `Bad Request: ${edit.error.message}`)
    const { chat_id, message_id, text, entities = [], reply_markup: markup } = edit.data
    const found = messages.find((one) => one.chat_id === chat_id && one.message_id === message_id)
    if (found === undefined || standIn.deleted.has(message_id))
      return refusal(400, 'Bad Request: message to edit not found')
    if (isTooMuch(chat_id)) return tooMany(chat_id)
    const fault = faultOfMessage(edit.data)
    if (fault !== undefined) return refusal(400, `Bad Request: ${fault}`)
    const buttons = markup?.inline_keyboard.flat().map(({ callback_data: data }) => data) ?? []
    if (found.text === text && JSON.stringify(found.buttons) === JSON.stringify(buttons))
      return refusal(
        400,
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      )
    found.edits.push(found.text)
    Object.assign(found, { text, entities, buttons })
    standIn.mentioned.push(...mentionsIn(text, entities))
    return confirm(shown(found))
  }

  function sendMessageDraft(body: unknown): StandInAnswer {
    const draft = SendDraft.safeParse(body)
    if (!draft.success) return refusal(400, `Bad Request: ${draft.error.message}`)
    if (!standIn.hasDrafts || draft.data.chat_id < 0)
      return refusal(400, 'Bad Request: TEXTDRAFT_PEER_INVALID')
    const { chat_id, draft_id, text } = draft.data
    const known = standIn.drafts.find((one) => one.chat_id === chat_id && one.draft_id === draft_id)
    if (known === undefined) standIn.drafts.push({ chat_id, draft_id, texts: [text] })
    else known.texts.push(text)
    return taken(true)
  }

  function answerCallbackQuery(body: unknown): StandInAnswer {
    const answer = z
      .strictObject({ callback_query_id: z.string(), text: z.string().max(200).optional() })
      .safeParse(body)
    const known = answer.data !== undefined && reception.knowsPress(answer.data.callback_query_id)
    if (!known)
      return refusal(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid')
    standIn.confirmed.push({ id: answer.data?.callback_query_id ?? '', text: answer.data?.text })
    return taken(true)
  }

  const METHODS: Record<string, (body: unknown) => StandInAnswer | Promise<StandInAnswer>> = {
    getMe: () => taken({ ...bot, is_bot: true, first_name: 'Docs', can_join_groups: true }),
    sendMessage,
    editMessageText,
    sendMessageDraft,
    getUpdates: reception.getUpdates,
    setWebhook: reception.setWebhook,
    deleteWebhook: reception.deleteWebhook,
    answerCallbackQuery,
    getWebhookInfo: () =>
      taken({
        url: reception.webhook.url,
        has_custom_certificate: false,
        pending_update_count: reception.waiting(),
        ...(standIn.failure !== undefined && {
          last_error_date: Math.floor(standIn.failure.at / 1_000),
          last_error_message: standIn.failure.because,
        }),
      }),
    getMyCommands: () => taken(standIn.commands.map((command) => ({ command, description: 'Something' }))),
    setMyCommands: (body) => {
      const set = z.strictObject({ commands: z.array(Command).max(100) }).safeParse(body)
      if (!set.success) return refusal(400, 'Bad Request: BOT_COMMAND_INVALID')
      standIn.commands = set.data.commands.map(({ command }) => command)
      return taken(true)
    },
    sendChatAction: (body) => {
      const action = z
        .strictObject({
          chat_id: z.string(),
          action: z.literal('typing'),
          message_thread_id: z.int().optional(),
        })
        .safeParse(body)
      if (!action.success) return refusal(400, 'Bad Request: wrong parameter action in request')
      const { chat_id, message_thread_id: thread } = action.data
      standIn.typing.push(thread === undefined ? chat_id : `${chat_id}:${thread}`)
      return taken(true)
    },
  }

  function answer({ path, body }: StandInRequest): StandInAnswer | Promise<StandInAnswer> {
    const [, of, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    if (of === undefined || !/^\d+:[\w-]{35}/.test(of)) return refusal(404, 'Not Found')
    if (of !== token || standIn.isRevoked) return refusal(401, 'Unauthorized')
    return METHODS[method]?.(body) ?? refusal(404, 'Not Found')
  }

  const server = await startStandIn(answer)
  const standIn: TelegramStandIn = Object.assign(server, {
    credentials: { bot_token: token },
    bot,
    messages,
    drafts: [],
    typing: [],
    mentioned: [],
    confirmed: [],
    barred: new Map<string, Bar>(),
    deleted: new Set<number>(),
    refusedAsTooMany: [],
    commands: ['settings'],
    failure: undefined,
    hasDrafts: true,
    isRevoked: false,
    losesAnswer: false,
    reception,
  })
  const dispose = standIn[Symbol.asyncDispose].bind(standIn)
  standIn[Symbol.asyncDispose] = async () => {
    reception.pollElsewhere()
    await dispose()
  }
  return standIn
}

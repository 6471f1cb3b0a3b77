import type { ChatPlatform } from '../../chat-platform.ts'
import { createCheckTelegram, isByHook } from './check-telegram.ts'
import { createListenToTelegram } from './listen-to-telegram.ts'
import { isEndOfLive, postToTelegram } from './post-telegram.ts'
import { renderForTelegram } from './render-telegram.ts'
import { callTelegram } from './telegram-api.ts'
import { isOfTelegram, readTelegramHook } from './telegram-hook.ts'
import { showLiveInTelegram } from './telegram-live.ts'
import { linkToTelegram } from './telegram-place.ts'

/** Telegram allows one message a second in a chat. */
const SPACING_MS = 1_000

/** Bots of Telegram: it is asked for what is said to them, or sends it to the hook. */
export function createTelegram({ now }: { now: () => Date }): ChatPlatform {
  return {
    spacingMs: SPACING_MS,
    verify: isOfTelegram,
    read: (request) => readTelegramHook(request, now()),
    listen: createListenToTelegram(now),
    isHeard: ({ config }) => !isByHook(config),
    connectionOf: ({ credentials }) => credentials['bot_token'] ?? '',
    placeOf: (channel) =>
      /^(?:-?\d{1,20}|@\w{4,64})$/.test(channel) ? { chat_id: channel, chat: 'group' } : undefined,
    linkTo: (place) => Promise.resolve(linkToTelegram(place)),
    render: renderForTelegram,
    showWorking: async ({ chat_id, thread }, account) => {
      const topic = thread === undefined ? {} : { message_thread_id: Number(thread) }
      await callTelegram('sendChatAction', { chat_id, action: 'typing', ...topic }, account)
    },
    live: showLiveInTelegram,
    inPlaceOf: (body, { ref }) => ({ ...(body as object), edits: Number(ref) }),
    isRepeatable: isEndOfLive,
    post: postToTelegram,
    check: createCheckTelegram(now),
    setup: () => ({
      credentials: { bot_token: 'In the chat with @BotFather: /newbot, or /mybots, the bot, API Token.' },
      settings: {
        receive_by:
          'polling (if it is not set): this service asks Telegram, which need not reach it. hook: Telegram sends to this service, which needs an https address; the check sets it.',
        api_url: 'The address of a Bot API server of your own.',
      },
      manifest: null,
    }),
  }
}

import { createHmac } from 'node:crypto'
import { parseJson } from '../../../../kernel/json.ts'
import { isEqualInConstantTime } from '../../../../kernel/secrets.ts'
import type { HookClaim, HookRequest, ReadDelivery } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'
import { readUpdate, type TelegramBot } from './read-telegram.ts'
import { telegramToken } from './telegram-api.ts'

const HEADER = 'x-telegram-bot-api-secret-token'

const macOf = (token: string, bot: string) =>
  createHmac('sha256', token).update(`citewell telegram hook ${bot}`).digest('hex')

/**
 * What Telegram is told to send with each update: who the bot is, which no update says, and a proof of it that only who has the token can
 * make. Telegram takes letters, digits, `_` and `-`.
 */
export const hookSecret = (token: string, { id, username }: TelegramBot) =>
  `${id}-${username}-${macOf(token, `${id}-${username}`)}`

/** Who a request says that the bot is. */
function claimedBot(headers: Headers): TelegramBot | undefined {
  const [, id, username] = /^(\d{1,20})-(\w{1,64})-[0-9a-f]{64}$/.exec(headers.get(HEADER) ?? '') ?? []
  return id === undefined || username === undefined ? undefined : { id: Number(id), username }
}

/** Whether Telegram sent a request to the bot of this token. It proves neither the body nor the time. */
export function isOfTelegram({ headers, credentials }: HookClaim): boolean {
  const token = telegramToken(credentials)
  const bot = claimedBot(headers)
  if (token === undefined || bot === undefined) return false
  return isEqualInConstantTime(hookSecret(token, bot), headers.get(HEADER))
}

const OFF = 'This bot is switched off.'

/** What a request means. A method of the Bot API in the answer is carried out. */
export function readTelegramHook(
  { headers, rawBody, isOn }: HookRequest & { isOn: boolean },
  now: Date,
): ReadDelivery<ChatIncoming> {
  const bot = claimedBot(headers)
  if (bot === undefined) return { reply: {} }
  const { event, answer } = readUpdate(parseJson(new TextDecoder().decode(rawBody)), bot, now)
  if (answer === undefined) return { reply: {}, event }
  return { reply: { method: 'answerCallbackQuery', ...answer, ...(!isOn && { text: OFF }) }, event }
}

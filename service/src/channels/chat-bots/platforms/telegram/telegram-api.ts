import { z } from 'zod'
import { requestJson } from '../../../../platform/outbound/request-json.ts'
import { apiAddress, type Credentials } from '../../../integrations/integrations.ts'
import type { BotAccount } from '../../chat-platform.ts'

const DEFAULT_API = 'https://api.telegram.org'
/** Fifty messages with everything around them. */
const MAX_BYTES = 8_388_608

const Answer = z.looseObject({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().max(2_000).catch('').default(''),
  parameters: z
    .looseObject({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() })
    .optional()
    .catch(undefined),
})

export interface TelegramAnswer {
  /** Of HTTP. */
  status: number
  /** Undefined if the body is not what Telegram sends. */
  body: z.infer<typeof Answer> | undefined
}

/** Of a Bot API server of one's own. */
export const telegramApiUrl = (config: Record<string, unknown>) => apiAddress(config, DEFAULT_API)

/** The token, if it has the form of one: the number of the bot, a colon, and 35 characters. */
export function telegramToken(credentials: Credentials): string | undefined {
  const token = credentials['bot_token'] ?? ''
  return /^\d{1,20}:[\w-]{20,100}$/.test(token) ? token : undefined
}

/**
 * Calls a method of the Bot API. The token is in the path of its address, which is in no error of the way out; the words of Telegram's own
 * errors are compared, and never shown.
 *
 * @throws OutboundFailure
 */
export async function callTelegram(
  method: string,
  fields: object,
  account: BotAccount,
  limits: { timeoutMs?: number } = {},
): Promise<TelegramAnswer> {
  const token = telegramToken(account.credentials)
  // What is no token may be anything: it does not become a part of an address.
  if (token === undefined) return { status: 401, body: Answer.parse({ ok: false }) }
  const { status, body } = await requestJson(
    `${telegramApiUrl(account.config) ?? DEFAULT_API}/bot${token}/${method}`,
    { method: 'POST', body: fields, maxBytes: MAX_BYTES, ...limits },
    account,
  )
  return { status, body: Answer.safeParse(body).data }
}

export const isTaken = ({ status, body }: TelegramAnswer) => status === 200 && body?.ok === true

/** Whether Telegram will never take it: not that it is busy, or out of order. */
export const isRefused = ({ status }: TelegramAnswer) => status >= 400 && status < 500 && status !== 429

const DEFAULT_WAIT_MS = 5_000

/** How long Telegram asks to wait, in milliseconds. */
export const waitMs = ({ body }: TelegramAnswer): number => {
  const seconds = body?.parameters?.retry_after ?? 0
  return seconds > 0 ? seconds * 1_000 : DEFAULT_WAIT_MS
}

export const TOKEN_REFUSED =
  'Telegram does not accept the bot token: it was revoked, or is not complete. In the chat with @BotFather: /mybots, the bot, API Token; then enter it here.'

const Me = z.looseObject({ id: z.int(), username: z.string().regex(/^\w{1,64}$/) })

/** Who the bot is there; why not, in words for its owner. @throws OutboundFailure */
export async function readTelegramBot(
  account: BotAccount,
): Promise<{ bot: z.infer<typeof Me> } | { because: string }> {
  const answer = await callTelegram('getMe', {}, account)
  // It answers 404 to what has not the form of a token.
  if (answer.status === 401 || answer.status === 404) return { because: TOKEN_REFUSED }
  const bot = isTaken(answer) ? Me.safeParse(answer.body?.result).data : undefined
  return bot === undefined
    ? { because: `Telegram did not answer as expected (HTTP ${answer.status}). Try again in a minute.` }
    : { bot }
}

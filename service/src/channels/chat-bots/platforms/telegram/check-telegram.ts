import { z } from 'zod'
import { oneLine } from '../../../../kernel/one-line.ts'
import { API_URL_WRONG } from '../../../integrations/integrations.ts'
import type { BotAccount, ChatPlatform } from '../../chat-platform.ts'
import { checkBot } from '../../check-bot.ts'
import { UPDATE_KINDS, type TelegramBot } from './read-telegram.ts'
import {
  callTelegram,
  isTaken,
  readTelegramBot,
  telegramApiUrl,
  telegramToken,
  TOKEN_REFUSED,
} from './telegram-api.ts'
import { hookSecret } from './telegram-hook.ts'

/** Whether Telegram sends to the hook; otherwise it is asked. */
export const isByHook = (config: Record<string, unknown>) => config['receive_by'] === 'hook'

const COMMAND = { command: 'ask', description: 'Ask the documentation' }

const Commands = z.array(z.looseObject({ command: z.string(), description: z.string() })).max(1_000)

const WebhookInfo = z.looseObject({
  url: z.string().max(3_000).default(''),
  /** In seconds. */
  last_error_date: z.number().optional(),
  last_error_message: z.string().max(2_000).optional(),
})

function* missingHere({ credentials, config }: BotAccount): Generator<string> {
  if ((credentials['bot_token'] ?? '') === '')
    yield 'The credential bot_token is missing: in the chat with @BotFather, /newbot, or /mybots, the bot, API Token.'
  else if (telegramToken(credentials) === undefined) yield TOKEN_REFUSED
  if (telegramApiUrl(config) === undefined) yield API_URL_WRONG
  const { receive_by: by } = config
  if (by !== undefined && by !== null && by !== 'hook' && by !== 'polling')
    yield 'The setting receive_by is neither polling nor hook.'
}

/** Adds the command to those that the bot shows. */
async function ensureCommand(account: BotAccount): Promise<string | undefined> {
  const listed = Commands.safeParse((await callTelegram('getMyCommands', {}, account)).body?.result).data
  if (listed?.some(({ command }) => command === COMMAND.command) === true) return undefined
  const commands = [...(listed ?? []), COMMAND]
  const made = await callTelegram('setMyCommands', { commands }, account)
  return isTaken(made)
    ? undefined
    : `Telegram did not take the command /ask (HTTP ${made.status}). Try again.`
}

const HOUR_SECONDS = 3_600

/** Has Telegram send to the hook, and says whether it can. */
async function ensureWebhook(
  account: BotAccount,
  given: { bot: TelegramBot; hookUrl: string; now: Date },
): Promise<string | undefined> {
  const { bot, hookUrl, now } = given
  // Before it is set anew, which forgets the last failure.
  const info = WebhookInfo.safeParse((await callTelegram('getWebhookInfo', {}, account)).body?.result).data
  const secret = hookSecret(telegramToken(account.credentials) ?? '', bot)
  const fields = { url: hookUrl, secret_token: secret, allowed_updates: UPDATE_KINDS }
  const set = await callTelegram('setWebhook', fields, account)
  if (!isTaken(set))
    return `Telegram does not take ${hookUrl} as a webhook (HTTP ${set.status}): it has to be an https address that can be reached from the internet, on port 443, 80, 88 or 8443 (CITEWELL_PUBLIC_URL). Without one, set receive_by to polling.`
  const { url, last_error_date: failedAt = 0, last_error_message: said = '' } = info ?? {}
  if (url !== hookUrl || now.getTime() / 1_000 - failedAt > HOUR_SECONDS) return undefined
  return `Telegram could not send to ${hookUrl} within the last hour: ${oneLine(said, 200)}`
}

export const createCheckTelegram =
  (now: () => Date): ChatPlatform['check'] =>
  (account, hookUrl) =>
    checkBot(account, {
      missingHere,
      async *ask() {
        const read = await readTelegramBot(account)
        if ('because' in read) {
          yield read.because
          return undefined
        }
        const { bot } = read
        const faults = [
          await ensureCommand(account),
          isByHook(account.config) ? await ensureWebhook(account, { bot, hookUrl, now: now() }) : undefined,
        ]
        yield* faults.filter((fault) => fault !== undefined)
        return { account: `@${bot.username}` }
      },
    })

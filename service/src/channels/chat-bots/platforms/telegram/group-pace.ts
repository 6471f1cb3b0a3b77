import { createMinuteBudget } from '../../../../kernel/minute-budget.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { telegramToken } from './telegram-api.ts'

/** Telegram takes about 20 messages a minute of a bot in a group, and one a second in any chat (Bots FAQ, "Broadcasting to Users"). */
const MESSAGES = createMinuteBudget(20, () => performance.now())
/** Of these, edits that only show an answer while it is written. */
const LIVE = createMinuteBudget(8, () => performance.now())

/** Between two attempts in a group that has had all of a minute. */
export const GROUP_WAIT_MS = 3_000

/** The ids of groups are negative. */
const isGroup = (chatId: string) => chatId.startsWith('-')

const keyOf = (chatId: string, { credentials }: BotAccount) =>
  `${telegramToken(credentials)?.split(':', 1)[0] ?? ''} ${chatId}`

/** Whether a message may be sent into a chat now; then it counts. */
export const takesMessage = (chatId: string, account: BotAccount): boolean =>
  !isGroup(chatId) || MESSAGES.take(keyOf(chatId, account))

/** The same for showing what is written so far. */
export const takesLiveEdit = (chatId: string, account: BotAccount): boolean =>
  !isGroup(chatId) || (LIVE.take(keyOf(chatId, account)) && takesMessage(chatId, account))

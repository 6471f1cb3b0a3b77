import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { HOUR_MS } from '../../../../kernel/duration.ts'
import { PlatformRefusal, type BotAccount, type Listening } from '../../chat-platform.ts'
import { readUpdate, UPDATE_KINDS, updateIdOf } from './read-telegram.ts'
import { callTelegram, isTaken, readTelegramBot, TOKEN_REFUSED, waitMs } from './telegram-api.ts'

/** Telegram keeps a request open for as long as it is asked to, until there is something. */
const POLL_SECONDS = 50
const TIMEOUT_MS = (POLL_SECONDS + 15) * 1_000
/** The first request of a connection is short: that it was not ended by another reader is soon known. */
const FIRST_POLL_SECONDS = 5
const MOST_UPDATES = 50
/** Before the next request when another one took its place: two that ask at once would only end each other. */
const CONFLICT_MS = 2_000
/** So many in a row are no restart. */
const MOST_CONFLICTS = 3
const CONFLICT_AGAIN_MS = 60_000

const CONFLICT =
  'Telegram gives the messages of this bot to one reader at a time, and another one reads them: another program with its token, which then has them and not this service, or a second process of this service. If it is the token, make a new one: @BotFather, /mybots, the bot, API Token, Revoke. With several processes set receive_by to hook.'

/** A longer wait is on the record, because the bot hears nothing meanwhile. */
const LONGEST_WAIT_MS = 60_000

const LIMITED =
  'Telegram gives the messages of this bot to nobody for a while, because it was asked for them too often. The bot tries again by itself, within an hour.'

const Updates = z.array(z.unknown()).max(1_000)

/** Takes one update after the other; the press on a button is confirmed when it is stored. */
async function take(
  update: unknown,
  given: Pick<Parameters<Listening>[1], 'heard'> & {
    bot: { id: number; username: string }
    account: BotAccount
    now: () => Date
  },
): Promise<void> {
  const { event, answer } = readUpdate(update, given.bot, given.now())
  if (event !== undefined) await given.heard(event)
  // It only ends the waiting that the button shows.
  if (answer !== undefined)
    await callTelegram('answerCallbackQuery', answer, given.account).catch(() => undefined)
}

/** The next updates, from a number on, which confirms those before it. Undefined: none was given, and why may pass. */
async function fetchUpdates(
  offset: number | undefined,
  seconds: number,
  account: BotAccount,
): Promise<unknown[] | 'conflict' | undefined> {
  const answer = await callTelegram(
    'getUpdates',
    {
      ...(offset !== undefined && { offset }),
      timeout: seconds,
      limit: MOST_UPDATES,
      allowed_updates: UPDATE_KINDS,
    },
    account,
    { timeoutMs: TIMEOUT_MS },
  )
  const { status, body } = answer
  if (isTaken(answer)) return Updates.parse(body?.result)
  if (status === 409) return 'conflict'
  if (status === 401 || status === 404) throw new PlatformRefusal(TOKEN_REFUSED)
  if (status !== 429)
    throw new PlatformRefusal(`Telegram does not give the messages of the bot (HTTP ${status}).`)
  const wait = waitMs(answer)
  if (wait > LONGEST_WAIT_MS) throw new PlatformRefusal(LIMITED, { againAfterMs: Math.min(wait, HOUR_MS) })
  await sleep(wait, undefined, { signal: account.signal })
  return undefined
}

/**
 * Asks Telegram for what is said to the bot, for as long as the service runs. An update counts as received when the next request names a
 * later one, which it does after it was stored: what a process that ended did not store, the next one gets.
 *
 * @throws PlatformRefusal, OutboundFailure
 */
export const createListenToTelegram =
  (now: () => Date): Listening =>
  async (account, { heard, connected }) => {
    const read = await readTelegramBot(account)
    if ('because' in read) throw new PlatformRefusal(read.because)
    // While there is one, Telegram gives nothing to who asks.
    const { status } = await callTelegram('deleteWebhook', {}, account)
    if (status !== 200) throw new PlatformRefusal(`Telegram did not end the webhook (HTTP ${status}).`)
    const given = { heard, bot: read.bot, account, now }
    let conflicts = 0
    let seconds = FIRST_POLL_SECONDS
    for (let offset: number | undefined; ;) {
      const updates = await fetchUpdates(offset, seconds, account)
      if (updates === 'conflict') {
        conflicts += 1
        if (conflicts > MOST_CONFLICTS)
          throw new PlatformRefusal(CONFLICT, { againAfterMs: CONFLICT_AGAIN_MS })
        await sleep(CONFLICT_MS, undefined, { signal: account.signal })
        continue
      }
      if (updates === undefined) continue
      conflicts = 0
      seconds = POLL_SECONDS
      connected()
      for (const update of updates) {
        await take(update, given)
        offset = Math.max(offset ?? 0, updateIdOf(update) + 1)
      }
    }
  }

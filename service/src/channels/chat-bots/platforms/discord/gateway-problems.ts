import { DAY_MS, HOUR_MS } from '../../../../kernel/duration.ts'
import { PlatformRefusal } from '../../chat-platform.ts'
import { TOKEN_REFUSED } from './discord-api.ts'

const AGAIN = 'Then check the connection; by itself the bot tries again after an hour.'

const INTENTS_REFUSED = `Discord does not let the bot hear messages (%). In the Developer Portal, look whether the application is restricted: Bot, Privileged Gateway Intents, and the mails of Discord to its owner. The bot needs the intent Guild Messages, and no privileged one. ${AGAIN}`

/** Close codes after which a client must not connect again by itself. */
const FINAL: Partial<Record<number, string>> = {
  4004: `${TOKEN_REFUSED} ${AGAIN}`,
  4010: `Discord refused the connection of the bot as part of several (%). Please report this. ${AGAIN}`,
  4011: `The bot is in too many servers for one connection (%): Discord allows 2,500, and this service opens one. Remove it from some. ${AGAIN}`,
  4012: `Discord no longer speaks the version of its gateway that this service knows (%). Update Citewell. ${AGAIN}`,
  4013: INTENTS_REFUSED,
  4014: INTENTS_REFUSED,
}

/** Close codes after which a session cannot be continued: its position is not valid, or it timed out. */
const ENDS_SESSION: readonly number[] = [4007, 4009]

export const endsSession = (code: number): boolean => ENDS_SESSION.includes(code)

/** Why a connection that was closed with a code is not opened again; undefined if it is. */
export function refusalOfCode(code: number): PlatformRefusal | undefined {
  const because = FINAL[code]
  // What is allowed at Discord may change without a change of the record: one attempt an hour is far below its limit of 1,000 a day.
  return because === undefined
    ? undefined
    : new PlatformRefusal(because.replace('%', `close code ${code}`), { againAfterMs: HOUR_MS })
}

export const tokenRefusal = () => new PlatformRefusal(`${TOKEN_REFUSED} ${AGAIN}`, { againAfterMs: HOUR_MS })

/** Discord resets the token of a bot that begins too many sessions. */
export function startsRefusal(resetAfterMs: number): PlatformRefusal {
  const againAfterMs = Math.min(Math.max(resetAfterMs, 60_000), DAY_MS)
  const minutes = Math.ceil(againAfterMs / 60_000)
  return new PlatformRefusal(
    `The bot began nearly as many sessions as Discord allows in a day. It connects again in ${minutes} minutes. Look whether another program uses its token.`,
    { againAfterMs },
  )
}

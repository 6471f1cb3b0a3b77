import type { BotAccount, Listening } from '../../chat-platform.ts'
import { isSocketAddress } from '../../socket-address.ts'
import { callDiscord } from './discord-api.ts'
import { Ready, type GatewayFrame, type Session } from './gateway-frames.ts'
import { readDiscordMessage } from './read-discord-message.ts'
import { readHeardInteraction } from './read-discord.ts'

/** After so many connections that could not continue a session, a new one begins. */
const MOST_FRUITLESS = 3

/** Events of one connection that wait to be answered or stored. */
const MOST_UNSTORED = 200

function sessionOf(data: unknown, account: BotAccount): Session | undefined {
  const ready = Ready.safeParse(data).data
  if (ready === undefined || !isSocketAddress(ready.resume_gateway_url, account)) return undefined
  const { session_id: id, resume_gateway_url: url, user } = ready
  return { id, url, bot: user.id, seq: 0, fruitless: 0 }
}

type HeardInteraction = ReturnType<typeof readHeardInteraction>

/** What an event means. Edited and deleted messages come as other events, and are nothing to do. */
function readEvent(type: GatewayFrame['t'], data: unknown, bot: string) {
  const interaction = type === 'INTERACTION_CREATE' ? readHeardInteraction(data) : undefined
  const event = type === 'MESSAGE_CREATE' ? readDiscordMessage(data, bot) : interaction?.event
  return { event, interaction }
}

/** Within three seconds. If it does not arrive, Discord says so to who asked, and the post of the answer to the owner. */
async function acknowledge(
  { path, reply }: NonNullable<HeardInteraction>,
  account: BotAccount,
): Promise<void> {
  await callDiscord('POST', path, { body: reply }, account).catch(() => undefined)
}

/**
 * What one connection to the gateway receives. An event counts as received when it is stored: else the next connection begins before it.
 * What came after it and was stored is known by its id.
 */
export function createReception(
  account: BotAccount,
  from: Session | undefined,
  heard: Parameters<Listening>[1]['heard'],
) {
  let session = from
  let received = from?.seq
  let isContinued = false
  const unstored = new Set<number>()
  const storing = new Set<Promise<void>>()

  const position = (): number | null => (unstored.size > 0 ? Math.min(...unstored) - 1 : (received ?? null))

  return {
    position,
    hasSession: () => session !== undefined,
    /** The session cannot be continued. */
    forget: (): void => {
      session = undefined
    },
    /** Takes an event. `failed` is called if it could not be stored. */
    take: ({ s, t, d }: GatewayFrame, failed: () => void): void => {
      if (typeof s === 'number') received = s
      if (t === 'READY') session = sessionOf(d, account)
      isContinued ||= t === 'READY' || t === 'RESUMED'
      if (session === undefined || typeof s !== 'number') return
      const { event, interaction } = readEvent(t, d, session.bot)
      if (event === undefined && interaction === undefined) return
      unstored.add(s)
      // What is not taken now is told again.
      if (unstored.size > MOST_UNSTORED) return failed()
      const store = async () => {
        // First, because the answer to an interaction is an edit of this reply.
        if (interaction !== undefined) await acknowledge(interaction, account)
        if (event !== undefined) await heard(event)
        unstored.delete(s)
      }
      const stored = store().catch(failed)
      storing.add(stored)
      void stored.finally(() => storing.delete(stored))
    },
    /** Where the next connection begins, when everything is stored that can be. */
    end: async (): Promise<Session | undefined> => {
      await Promise.all(storing)
      const seq = position()
      if (session === undefined || seq === null) return undefined
      const isFruitless = !isContinued && seq === from?.seq
      const fruitless = isFruitless ? session.fruitless + 1 : 0
      return fruitless < MOST_FRUITLESS ? { ...session, seq, fruitless } : undefined
    },
  }
}

export type Reception = ReturnType<typeof createReception>

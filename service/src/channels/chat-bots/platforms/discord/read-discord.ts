import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookRequest, ReadDelivery } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming } from '../../chat-incoming.ts'

const Snowflake = z.string().regex(/^\d{1,25}$/)

/** Only for the name: whatever else it is, the question is answered. */
const User = z
  .looseObject({ username: z.string().max(200), global_name: z.string().max(200).nullish() })
  .optional()
  .catch(undefined)

const Interaction = z.object({
  id: Snowflake,
  application_id: Snowflake,
  /** 1 is a ping, 2 a command, 3 a click on a button. */
  type: z.int(),
  token: z.string().min(1).max(1_000),
  guild_id: Snowflake.optional(),
  channel: z.object({ id: Snowflake, type: z.int() }).optional(),
  data: z.unknown().optional(),
  /** In a server. In a direct message it is `user`. */
  member: z.looseObject({ user: User }).optional().catch(undefined),
  user: User,
})

const Command = z.object({
  options: z.array(z.object({ type: z.literal(3), value: z.string().max(6_000) })).min(1),
})

const Click = z.object({ custom_id: z.string().max(100) })

/** Kinds of channels that are threads. */
const THREADS = new Set([10, 11, 12])

/** Kinds of replies. */
const PONG = 1
const MESSAGE = 4
const LATER = 5
/** Only who asked sees the message. */
const EPHEMERAL = 64

const privately = (content: string) => ({
  type: MESSAGE,
  data: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } },
})

type Interaction = z.infer<typeof Interaction>

function askerOf({ member, user = member?.user }: Interaction): string | undefined {
  return user?.global_name ?? user?.username
}

const UNKNOWN = { reply: privately('This is not a question that I know.') }

/** Where a press or question was made, for a link. */
const linkPlace = ({ guild_id: guild, channel }: Interaction): Record<string, string> => ({
  ...(guild !== undefined && channel !== undefined && { guild, asked_in: channel.id }),
})

function readCommand(asked: Interaction): ReadDelivery<ChatIncoming> {
  const { id, application_id, token, channel, data } = asked
  const text = Command.safeParse(data).data?.options[0]?.value
  if (text === undefined) return UNKNOWN
  const isThread = channel !== undefined && THREADS.has(channel.type)
  const conversation = isThread ? `thread ${channel.id}` : `interaction ${id}`
  return {
    reply: { type: LATER },
    event: {
      deliveryId: id,
      lane: conversation,
      channel: `channel ${channel?.id ?? 'unknown'}`,
      incoming: {
        kind: 'question',
        conversation,
        lane: `interaction ${id}`,
        place: { application_id, token, conversation, ...linkPlace(asked) },
        asker: askerOf(asked),
        text: truncateText(text.trim(), 6_000),
      },
    },
  }
}

/** A press on the button for a person: what becomes of it is said in a message that follows. */
function readCall(asked: Interaction, conversation: string): ReadDelivery<ChatIncoming> {
  const { id, application_id, token } = asked
  return {
    reply: { type: LATER },
    event: {
      deliveryId: id,
      lane: conversation,
      incoming: {
        kind: 'wants_person',
        conversation,
        lane: `interaction ${id}`,
        place: { application_id, token, conversation, ...linkPlace(asked) },
        asker: askerOf(asked),
      },
    },
  }
}

function readClick(asked: Interaction): ReadDelivery<ChatIncoming> {
  const { id, data } = asked
  const customId = Click.safeParse(data).data?.custom_id ?? ''
  const [, conversation] = /^person:((?:thread|interaction|message) \d{1,25})$/.exec(customId) ?? []
  if (conversation !== undefined) return readCall(asked, conversation)
  const [, vote, messageId] = /^rate:(up|down):([0-9a-f-]{36})$/.exec(customId) ?? []
  if (messageId === undefined || (vote !== 'up' && vote !== 'down')) return UNKNOWN
  return {
    reply: privately('Thank you for the rating.'),
    event: { deliveryId: id, lane: `rating ${messageId}`, incoming: { kind: 'rating', messageId, vote } },
  }
}

const readInteraction = (interaction: Interaction): ReadDelivery<ChatIncoming> => {
  if (interaction.type === 2) return readCommand(interaction)
  return interaction.type === 3 ? readClick(interaction) : UNKNOWN
}

/** What an interaction of Discord means, and what it is answered with within three seconds. */
export function readDiscord({ rawBody, isOn }: HookRequest & { isOn: boolean }): ReadDelivery<ChatIncoming> {
  const interaction = Interaction.safeParse(parseJson(new TextDecoder().decode(rawBody))).data
  if (interaction?.type === 1) return { reply: { type: PONG } }
  if (!isOn) return { reply: privately('This bot is switched off.') }
  return interaction === undefined ? UNKNOWN : readInteraction(interaction)
}

/** The same for one that came over the gateway, with where it is answered. */
export function readHeardInteraction(data: unknown) {
  const interaction = Interaction.safeParse(data).data
  if (interaction === undefined) return undefined
  const { reply, event } = readInteraction(interaction)
  const path = `/interactions/${interaction.id}/${encodeURIComponent(interaction.token)}/callback`
  return { path, reply, event: [event ?? []].flat()[0] }
}

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { truncateText } from '../../../../kernel/cut-text.ts'
import { parseJson } from '../../../../kernel/json.ts'
import type { HookRequest, PlatformEvent, ReadDelivery } from '../../../platform-hooks/platform-hooks.ts'
import type { ChatIncoming, ChatPlace } from '../../chat-incoming.ts'
import { addOnAddressIn } from './verify-google-chat.ts'

export const SpaceName = z.string().regex(/^spaces\/[\w-]{1,100}$/)
const ThreadName = z.string().regex(/^spaces\/[\w-]{1,100}\/threads\/[\w-]{1,200}$/)
const MessageName = z.string().regex(/^spaces\/[\w-]{1,100}\/messages\/[\w.-]{1,200}$/)

const User = z.looseObject({
  name: z.string().min(1).max(200),
  displayName: z.string().max(300).optional().catch(undefined),
  type: z.string().max(50).optional(),
})

const Space = z.looseObject({
  name: SpaceName,
  /** The older and the newer name of its kind. */
  type: z.string().max(50).optional(),
  spaceType: z.string().max(50).optional(),
  spaceThreadingState: z.string().max(50).optional(),
})

const Message = z.looseObject({
  name: MessageName,
  sender: User,
  text: z.string().max(50_000).default(''),
  /** The same without the name of the app and the command. */
  argumentText: z.string().max(50_000).optional(),
  thread: z.looseObject({ name: ThreadName }).optional().catch(undefined),
})

const Said = z.looseObject({ message: Message, space: Space })

const Parameters = z.record(z.string().max(100), z.string().max(500))

/** A press on a button, with what the button carries. */
const Press = z.looseObject({
  message: z.looseObject({ name: MessageName, thread: Message.shape.thread }),
  space: Space,
  user: User,
  parameters: Parameters,
  eventTime: z.unknown().optional(),
})

/** What a Chat app gets (`Event` of the Chat API). */
const OfApp = z.looseObject({
  type: z.string().max(50),
  eventTime: z.unknown().optional(),
  common: z.looseObject({ parameters: Parameters.optional().catch(undefined) }).optional(),
})

const Payload = z.record(z.string(), z.unknown()).optional()

/** What a Google Workspace add-on gets of Chat ("Chat event object"). */
const OfAddOn = z.looseObject({
  chat: z.looseObject({
    user: z.unknown().optional(),
    eventTime: z.unknown().optional(),
    messagePayload: Payload,
    appCommandPayload: Payload,
    addedToSpacePayload: Payload,
    buttonClickedPayload: Payload,
  }),
  commonEventObject: z.looseObject({ parameters: Parameters.optional().catch(undefined) }).optional(),
})

interface Event {
  said: unknown
  press: unknown
}

/** The same event, whether Google calls the app a Chat app or an add-on. */
function eventOf(body: unknown): Event {
  const addOn = OfAddOn.safeParse(body).data
  if (addOn !== undefined) {
    const { chat, commonEventObject: common } = addOn
    const { user, eventTime, buttonClickedPayload: pressed } = chat
    return {
      said: chat.messagePayload ?? chat.appCommandPayload ?? chat.addedToSpacePayload,
      press: pressed && { ...pressed, user, eventTime, parameters: common?.parameters },
    }
  }
  const event = OfApp.safeParse(body).data
  return {
    // Who adds an app by naming it in a message has asked something.
    said: event?.type === 'MESSAGE' || event?.type === 'ADDED_TO_SPACE' ? event : undefined,
    press: event?.type === 'CARD_CLICKED' ? { ...event, parameters: event.common?.parameters } : undefined,
  }
}

/** After so long in a place without threads a new conversation begins. */
const CONVERSATION_LASTS_MS = 30 * 60 * 1_000

const hashed = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

function placeOf(
  { space, message }: Pick<z.infer<typeof Press>, 'space' | 'message'>,
  { asked, address }: { asked: string; address: string | undefined },
): ChatPlace {
  const isDirect = space.spaceType === 'DIRECT_MESSAGE' || space.type === 'DM'
  const hasThreads = !isDirect && space.spaceThreadingState !== 'UNTHREADED_MESSAGES'
  const thread = hasThreads ? message.thread?.name : undefined
  return {
    conversation: thread ?? space.name,
    ...(thread === undefined && { lastsMs: CONVERSATION_LASTS_MS }),
    lane: space.name,
    place: {
      space: space.name,
      // What was asked or pressed: of its answers each is posted once.
      asked,
      ...(thread !== undefined && { thread }),
      ...(address !== undefined && { address }),
    },
  }
}

function questionOf(given: unknown, address: string | undefined): PlatformEvent<ChatIncoming> | undefined {
  const said = Said.safeParse(given).data
  // Programs do not get answers, or two bots go on for ever.
  if (said === undefined || said.message.sender.type === 'BOT') return undefined
  const { message } = said
  const place = placeOf(said, { asked: message.name, address })
  const words = (message.argumentText ?? message.text).replaceAll(/[ \t\u00A0]+/g, ' ').trim()
  return {
    deliveryId: message.name,
    lane: place.conversation,
    channel: said.space.name,
    incoming: {
      kind: 'question',
      ...place,
      asker: message.sender.displayName?.slice(0, 200),
      text: truncateText(words, 20_000),
    },
  }
}

function pressOf(given: unknown, address: string | undefined): PlatformEvent<ChatIncoming> | undefined {
  const press = Press.safeParse(given).data
  if (press === undefined) return undefined
  const { act, of: messageId = '' } = press.parameters
  const { message, user } = press
  const deliveryId = hashed(message.name, user.name, act, messageId, press.eventTime)
  if (act === 'up' || act === 'down') {
    if (messageId === '' || messageId.length > 100) return undefined
    return { deliveryId, lane: `rating ${messageId}`, incoming: { kind: 'rating', messageId, vote: act } }
  }
  if (act !== 'person') return undefined
  const place = placeOf(press, { asked: deliveryId, address })
  return {
    deliveryId,
    lane: place.conversation,
    channel: place.lane,
    incoming: { kind: 'wants_person', ...place, asker: user.displayName?.slice(0, 200) },
  }
}

/** What a request of Google Chat means. An empty answer posts nothing; answers come by the API. */
export function readGoogleChat({ headers, rawBody }: HookRequest): ReadDelivery<ChatIncoming> {
  const { said, press } = eventOf(parseJson(new TextDecoder().decode(rawBody)))
  const address = addOnAddressIn(headers)
  return { reply: {}, event: questionOf(said, address) ?? pressOf(press, address) }
}

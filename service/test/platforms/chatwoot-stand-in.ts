import { z } from 'zod'
import {
  startStandIn,
  unknownFields,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
} from '../connectors/stand-in-server.ts'

const Said = z.strictObject({
  content: z.string().min(1),
  message_type: z.literal('outgoing'),
  private: z.boolean(),
})
const Toggle = z.strictObject({ status: z.enum(['open', 'resolved', 'pending', 'snoozed']) })
const Team = z.strictObject({ team_id: z.int() })

interface Message {
  id: number
  content: string
  message_type: number
  private: boolean
  sender?: { id: number; type: string; name: string }
}

export interface ChatwootChatHere {
  id: number
  status: string
  channel: string
  assignee: { id: number; name: string } | undefined
  assigneeType: string | undefined
  team: number | undefined
  messages: Message[]
}

export const ACCOUNT = '3'
export const TEAM = 9
const BOT = { id: 4, type: 'agent_bot', name: 'Citewell' }
const ADA = { id: 6, type: 'user', name: 'Ada' }
const PER_LIST = 100

export interface ChatwootStandIn extends StandInServer {
  credentials: { bot_token: string; agent_token: string; hook_secret: string }
  /** A customer writes: in a new conversation, which the bot gets, or in the one of this id. Returns its id. */
  write(text: string, given?: { chat?: string; channel?: string; status?: string }): string
  /** Another one speaks: `user`, `captain_assistant`, or nobody, as an automation. */
  says(chat: string, text: string, given?: { by?: string; isInternal?: boolean }): void
  chat(id: string): ChatwootChatHere
  delete(id: string): void
  delivery(chat: string): string
  answersOf(id: string): string[]
  notesOf(id: string): string[]
  losesAnswer: boolean
}

/** The API 1 of Chatwoot as far as bots use it (chatwoot/chatwoot, `app/controllers/api/v1/accounts`): stateful and strict. */
export async function startChatwootStandIn(): Promise<ChatwootStandIn> {
  const credentials = { bot_token: 'bot-token', agent_token: 'agent-token', hook_secret: 'bot-secret' }
  const chats = new Map<number, ChatwootChatHere>()
  let ids = 100
  const next = () => (ids += 1)
  const known = (id: string): ChatwootChatHere => {
    const chat = chats.get(Number(id))
    if (chat === undefined) throw new Error(`There is no conversation ${id}.`)
    return chat
  }
  const refusal = (status: number, error: string): StandInAnswer => ({ status, body: { error } })
  const missing = () => refusal(404, 'Resource could not be found')
  const bodyOf = <Schema extends z.ZodType>(
    schema: Schema,
    body: unknown,
    take: (given: z.infer<Schema>) => StandInAnswer,
  ): StandInAnswer => {
    const given = schema.safeParse(body)
    return given.success ? take(given.data) : refusal(422, given.error.message)
  }

  const shown = ({ id, status, channel, assignee, assigneeType }: ChatwootChatHere) => ({
    id,
    status,
    account_id: Number(ACCOUNT),
    meta: {
      sender: { id: 1, name: 'Customer', type: 'contact' },
      channel,
      ...(assignee !== undefined && { assignee, assignee_type: assigneeType }),
    },
    labels: [],
    can_reply: true,
  })

  /** Bots may do these, and read nothing. */
  function posted(chat: ChatwootChatHere, what: string, body: unknown, isBot: boolean): StandInAnswer {
    if (what === 'messages')
      return bodyOf(Said, body, ({ content, private: isPrivate }) => {
        const sender = isBot ? BOT : ADA
        const message = { id: next(), content, message_type: 1, private: isPrivate, sender }
        chat.messages.push(message)
        if (!standIn.losesAnswer) return { body: message }
        standIn.losesAnswer = false
        return { hangsUp: true, body: undefined }
      })
    if (what === 'toggle_status')
      return bodyOf(Toggle, body, ({ status }) => {
        if (chat.status !== status)
          chat.messages.push({ id: next(), content: `Marked ${status}`, message_type: 2, private: false })
        chat.status = status
        return { body: { meta: {}, payload: { success: true, current_status: status } } }
      })
    if (what !== 'assignments') return missing()
    return bodyOf(Team, body, ({ team_id: team }) => {
      chat.team = team === TEAM ? team : undefined
      return { body: chat.team === undefined ? null : { id: team, name: 'people' } }
    })
  }

  function got(chat: ChatwootChatHere, what: string, query: URLSearchParams): StandInAnswer {
    if (what === '') return { body: shown(chat) }
    if (what !== 'messages' || unknownFields(query, ['after']).length > 0) return missing()
    const after = query.get('after')
    const payload =
      after === null
        ? chat.messages.slice(-20)
        : chat.messages.filter(({ id }) => id > Number(after)).slice(0, PER_LIST)
    return { body: { meta: {}, payload } }
  }

  function inAccount(
    { method, query, body }: StandInRequest,
    { below, isBot }: { below: string; isBot: boolean },
  ): StandInAnswer {
    if (below === '/conversations') return { body: { data: { meta: {}, payload: [] } } }
    if (below === `/teams/${TEAM}`) return { body: { id: TEAM, name: 'people' } }
    const [, id = '', what = ''] =
      /^\/conversations\/(\d+)(?:\/(messages|toggle_status|assignments))?$/.exec(below) ?? []
    const chat = chats.get(Number(id))
    if (chat === undefined) return missing()
    return method === 'POST' ? posted(chat, what, body, isBot) : got(chat, what, query)
  }

  const server = await startStandIn((request: StandInRequest): StandInAnswer => {
    const { method, path, headers } = request
    const token = headers['api_access_token']
    const isBot = token === credentials.bot_token
    if (!isBot && token !== credentials.agent_token) return refusal(401, 'Invalid Access Token')
    if (isBot && method !== 'POST') return refusal(401, 'Access to this endpoint is not authorized for bots')
    if (path === '/api/v1/profile')
      return { body: { id: 6, name: 'Ada', email: 'ada@acme.example', accounts: [{ id: Number(ACCOUNT) }] } }
    const [, account = '', below = ''] = /^\/api\/v1\/accounts\/(\d+)(\/.*)$/.exec(path) ?? []
    return account === ACCOUNT ? inAccount(request, { below, isBot }) : missing()
  })

  const ofUs = (id: string, isPrivate: boolean) =>
    known(id)
      .messages.filter((one) => one.sender === BOT && one.private === isPrivate)
      .map(({ content }) => content)

  const standIn: ChatwootStandIn = Object.assign(server, {
    credentials,
    losesAnswer: false,
    write: (text: string, given: Parameters<ChatwootStandIn['write']>[1] = {}) => {
      const { channel = 'Channel::WebWidget', status = 'pending' } = given
      let chat = given.chat === undefined ? undefined : known(given.chat)
      if (chat === undefined) {
        chat = {
          id: next(),
          status,
          channel,
          assignee: undefined,
          assigneeType: undefined,
          team: undefined,
          messages: [],
        }
        chats.set(chat.id, chat)
      } else if (chat.status === 'resolved') chat.status = 'pending'
      const sender = { id: 1, type: 'contact', name: 'Customer' }
      chat.messages.push({ id: next(), content: text, message_type: 0, private: false, sender })
      return String(chat.id)
    },
    says: (id: string, text: string, { by = 'user', isInternal = false } = {}) => {
      const sender = by === 'user' ? { sender: ADA } : by === '' ? {} : { sender: { ...ADA, type: by } }
      const message = { id: next(), content: text, message_type: 1, private: isInternal, ...sender }
      known(id).messages.push(message)
    },
    chat: known,
    delete: (id: string) => void chats.delete(Number(id)),
    delivery: (id: string) =>
      JSON.stringify({
        event: 'message_created',
        id: chats.get(Number(id))?.messages.findLast(({ message_type: type }) => type === 0)?.id ?? 1,
        message_type: 'incoming',
        content: 'What a delivery says is not used.',
        account: { id: Number(ACCOUNT) },
        conversation: { id: Number(id), status: 'pending' },
      }),
    answersOf: (id: string) => ofUs(id, false),
    notesOf: (id: string) => ofUs(id, true),
  })
  return standIn
}

import type { DeskAccount, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { inAccount, isChatwootId, readFromChatwoot } from './chatwoot-api.ts'
import { ChatwootConversation, ChatwootMessages, type ChatwootMessage } from './chatwoot-schemas.ts'

/** Chatwoot lists as many after a message; a longer chat is one of people. */
const MOST_MESSAGES = 100
const INCOMING = 0
const OUTGOING = 1
/** The state in which the bot of an inbox has a conversation. */
const WITH_BOT = 'pending'
/** Programs that answer mail would get five answers. */
const MAIL = 'Channel::Email'

/** Undefined for what Chatwoot notes or says by itself, and for automations and other assistants: they neither ask nor take over. */
function authorOf({ message_type: type, sender }: ChatwootMessage): DeskMessage['by'] | undefined {
  if (type === INCOMING) return 'customer'
  if (type !== OUTGOING) return undefined
  // An inbox has one bot.
  if (sender?.type === 'agent_bot') return 'us'
  return sender?.type === 'user' ? 'team' : undefined
}

function messageOf(message: ChatwootMessage): DeskMessage[] {
  const by = authorOf(message)
  if (by === undefined) return []
  const { id, private: isInternal, content } = message
  return [{ id, by, isInternal: isInternal === true, isAutomatic: false, text: content ?? '' }]
}

/** A person may have it without having written. */
const isWithPerson = ({ meta: { assignee, assignee_type: type } }: ChatwootConversation) =>
  (assignee?.id ?? undefined) !== undefined && type !== 'AgentBot'

export interface ChatwootChat {
  ticket: DeskTicket
  /** Changes with each message: the beginning of the mark of its ticket. */
  said: string
  /** Its customer gets no word from us: it could be a program that answers each with a new mail. */
  isMail: boolean
}

/** A conversation of Chatwoot. @throws DeskFailure */
export async function readChatwootChat(id: string, account: DeskAccount): Promise<ChatwootChat | undefined> {
  if (!isChatwootId(id)) return undefined
  const path = inAccount(`/conversations/${id}`, account)
  const conversation = await readFromChatwoot(path, ChatwootConversation, account)
  if (conversation === undefined) return undefined
  const list = await readFromChatwoot(`${path}/messages?after=0`, ChatwootMessages, account)
  const all = (list?.payload ?? []).toSorted((one, other) => Number(one.id) - Number(other.id))
  const messages = all.flatMap(messageOf)
  const { status, meta } = conversation
  const isHeldHere = status === WITH_BOT
  const isWhole = all.length < MOST_MESSAGES
  const isMail = meta.channel === MAIL
  const isTaken = isWithPerson(conversation)
  const said = `${messages.at(-1)?.id ?? 'none'} ${messages.length} `
  return {
    said,
    ticket: {
      subject: '',
      messages,
      isOpen: status !== 'resolved',
      isOurs: isHeldHere && isWhole && !isMail && !isTaken,
      isHeldHere,
      // Chatwoot knows no condition for a message: what was said, the state and whose it is are compared before one is posted.
      etag: `${said}${status} ${isTaken}`,
    },
    isMail,
  }
}

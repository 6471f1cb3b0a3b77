import type { DeskAccount, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { isConversationId, ourSwitchboardIntegration, readFromMessaging } from './messaging-api.ts'
import { isHandOver, isOfUs, partOf } from './messaging-marks.ts'
import { MessagingConversation, MessagingMessages, type MessagingMessage } from './messaging-schemas.ts'

/** Of a hundred messages each. */
const MAX_PAGES = 5

/** What people write in Zendesk. Other programs of the business neither ask nor take over: the switchboard says who is to speak. */
const PEOPLE = 'zd:agentWorkspace'

/** A conversation with everything that a post depends on. */
export interface MessagingChat {
  ticket: DeskTicket
  /** Whether the switchboard gives it to this service. */
  isInControl: boolean
  /** Whether the customer was told that people take over. */
  isToldOfPeople: boolean
  /** The parts of answers that are there, by the message that they answer. */
  parts: ReadonlyMap<string, ReadonlySet<number>>
}

function authorOf(message: MessagingMessage): DeskMessage['by'] | undefined {
  if (message.author.type === 'user') return 'customer'
  if (isOfUs(message)) return 'us'
  return message.source?.type === PEOPLE ? 'team' : undefined
}

/** Oldest first; the parts of an answer are one message. */
function messagesOf(all: readonly MessagingMessage[]): DeskMessage[] {
  const said: DeskMessage[] = []
  const begun = new Set<string>()
  for (const message of all) {
    const by = authorOf(message)
    if (by === undefined || message.deleted === true) continue
    const answers = partOf(message)?.answers
    if (answers !== undefined && begun.has(answers)) continue
    if (answers !== undefined) begun.add(answers)
    const text = message.content.text ?? ''
    said.push({ id: message.id, by, isInternal: false, isAutomatic: false, text })
  }
  return said
}

/** All messages, oldest first, and whether there are more than are read. @throws DeskFailure */
async function readMessages(id: string, account: DeskAccount) {
  const all: MessagingMessage[] = []
  let before: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = before === undefined ? '' : `?page%5Bbefore%5D=${encodeURIComponent(before)}`
    const read = await readFromMessaging(`/conversations/${id}/messages${query}`, MessagingMessages, account)
    all.unshift(...(read?.messages ?? []))
    before = read?.meta?.hasMore === true ? (read.meta.beforeCursor ?? undefined) : undefined
    if (before === undefined) return { all, isWhole: read?.meta?.hasMore !== true }
  }
  return { all, isWhole: false }
}

/** A conversation of Zendesk messaging. @throws DeskFailure */
export async function readMessagingChat(
  id: string,
  account: DeskAccount,
): Promise<MessagingChat | undefined> {
  if (!isConversationId(id)) return undefined
  const read = await readFromMessaging(`/conversations/${id}`, MessagingConversation, account)
  if (read === undefined) return undefined
  const { type, activeSwitchboardIntegration: active } = read.conversation
  const us = ourSwitchboardIntegration(account.config)
  const isInControl = [active?.name, active?.id, active?.integrationId].includes(us)
  const { all, isWhole } = await readMessages(id, account)
  const messages = messagesOf(all)
  const parts = new Map<string, Set<number>>()
  for (const { answers, part } of all.flatMap((message) => partOf(message) ?? []))
    parts.set(answers, (parts.get(answers) ?? new Set()).add(part))
  return {
    ticket: {
      subject: '',
      messages,
      isOpen: true,
      // Groups have several customers, and a person may have written before what was read.
      isOurs: isInControl && isWhole && type !== 'sdkGroup',
      isHeldHere: isInControl,
      // It knows no condition for a message: what was said last is compared before one is posted.
      etag: messages.at(-1)?.id ?? '',
    },
    isInControl,
    isToldOfPeople: all.some(isHandOver),
    parts,
  }
}

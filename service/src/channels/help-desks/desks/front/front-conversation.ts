import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import type { DeskAccount, DeskAuthor, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { isFlood, type AnswersLately } from '../answers-lately.ts'
import { chosenIds, isChosen, type Chosen } from '../chosen-parts.ts'
import { frontId, isFrontId, readFromFront } from './front-api.ts'
import {
  FrontComments,
  FrontConversation,
  FrontList,
  FrontMessages,
  type FrontComment,
  type FrontMessage,
} from './front-schemas.ts'

/** A conversation with more messages is one of people. */
const PER_PAGE = 100
/** Nobody answers this fast: what is sent without an author so soon is the acknowledgement of a rule. Later it may be a person's, sent elsewhere. */
const RULE_SECONDS = 30
const CLOSED: readonly unknown[] = ['archived', 'deleted', 'trashed', 'spam', 'resolved']

/** A conversation, and what was said in it, as Front has it. */
export interface FrontThread {
  conversation: FrontConversation
  /** Oldest first. */
  messages: DeskMessage[]
  isWhole: boolean
  isMail: boolean
  /** Who writes. */
  customer: string
  /** The ids of the inboxes that it is in, where they decide. */
  inboxes: readonly string[]
  /** Front knows no condition for a message: what was said, the status, whose it is and its inboxes are compared before one is posted. */
  etag: string
}

function authorOf(author: { id: string } | null | undefined, config: Record<string, unknown>): DeskAuthor {
  const us = frontId(config, 'teammate', 'tea')
  return us !== undefined && author?.id === us ? 'us' : 'team'
}

const fromOf = ({ recipients }: FrontMessage): string =>
  oneLine(recipients?.find(({ role }) => role === 'from')?.handle ?? '', 320)

function messageOf(message: FrontMessage, config: Record<string, unknown>): DeskMessage {
  return {
    id: message.id,
    by: message.is_inbound ? 'customer' : authorOf(message.author, config),
    isInternal: false,
    isAutomatic: message.is_inbound && isAutomaticMail(`From: ${fromOf(message)}`),
    text: message.text ?? textOfHtml(message.body ?? ''),
  }
}

/** What a rule sends neither asks nor takes over. */
function isOfRule(message: FrontMessage, all: readonly FrontMessage[]): boolean {
  if (message.is_inbound || (message.author ?? undefined) !== undefined) return false
  return all.some(({ is_inbound: isInbound, created_at: at }) => {
    const after = message.created_at - at
    return isInbound && after >= 0 && after < RULE_SECONDS
  })
}

/** What was sent and received, and what the team says among itself, in one order. */
function saidIn(
  sent: readonly FrontMessage[],
  comments: readonly FrontComment[],
  config: Record<string, unknown>,
): DeskMessage[] {
  const messages = sent
    .filter((one) => !isOfRule(one, sent))
    .map((one) => ({ at: one.created_at, said: messageOf(one, config) }))
  const notes = comments.map(({ id, author, body, posted_at: at }) => {
    const by = authorOf(author, config)
    return { at, said: { id, by, isInternal: true, isAutomatic: false, text: body ?? '' } }
  })
  return [...messages, ...notes].toSorted((one, other) => one.at - other.at).map(({ said }) => said)
}

/** The inboxes whose conversations are answered. */
export const frontInboxes = ({ inboxes }: Record<string, unknown>): Chosen =>
  chosenIds(inboxes, (id) => isFrontId(id, 'inb'))

/** @throws DeskFailure */
async function readInboxes(id: string, account: DeskAccount): Promise<string[]> {
  if (frontInboxes(account.config).is !== 'these') return []
  const inboxes = await readFromFront(`/conversations/${id}/inboxes`, FrontList, account)
  return (inboxes?.items ?? []).map((inbox) => inbox.id).toSorted()
}

/** Undefined if it is gone. @throws DeskFailure */
export async function readFrontThread(id: string, account: DeskAccount): Promise<FrontThread | undefined> {
  if (!isFrontId(id, 'cnv')) return undefined
  const conversation = await readFromFront(`/conversations/${id}`, FrontConversation, account)
  if (conversation === undefined || conversation.status === 'deleted') return undefined
  const path = (what: string) => `/conversations/${id}/${what}`
  const list = await readFromFront(path(`messages?limit=${PER_PAGE}`), FrontMessages, account)
  const comments = await readFromFront(path('comments'), FrontComments, account)
  const sent = (list?.items ?? []).filter(
    ({ is_draft: isDraft, draft_mode: mode }) => isDraft !== true && (mode ?? null) === null,
  )
  const messages = saidIn(sent, comments?.items ?? [], account.config)
  const inbound = sent
    .filter(({ is_inbound: isInbound }) => isInbound)
    .toSorted((one, other) => one.created_at - other.created_at)
  const isPaged = [list, comments].some((page) => page?.next !== undefined)
  const last = inbound.at(-1)
  const inboxes = await readInboxes(id, account)
  const { status, status_category: category, assignee } = conversation
  return {
    conversation,
    messages,
    isWhole: !isPaged,
    isMail: sent.every(({ type }) => type === 'email'),
    customer: last === undefined ? '' : fromOf(last),
    inboxes,
    etag: [messages.at(-1)?.id, messages.length, status, category, assignee?.id, ...inboxes].join(' '),
  }
}

/** Whether it is in an inbox that the owner chose. */
function isInInboxes({ inboxes }: FrontThread, config: Record<string, unknown>): boolean {
  const chosen = frontInboxes(config)
  return chosen.is === 'all' || inboxes.some((inbox) => isChosen(chosen, inbox))
}

/** Of whose answers is counted: those of one account of Front. */
export const frontSender = ({ config }: DeskAccount) => `front ${frontId(config, 'teammate', 'tea') ?? ''}`

/** A conversation of mail. @throws DeskFailure */
export async function readFrontConversation(
  id: string,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<DeskTicket | undefined> {
  const thread = await readFrontThread(id, account)
  if (thread === undefined) return undefined
  const { conversation, messages, isWhole, isMail, customer, etag } = thread
  const { status, status_category: category, assignee, subject } = conversation
  const isWithPeople = ![undefined, null, frontId(account.config, 'teammate', 'tea')].includes(assignee?.id)
  return {
    subject: subject ?? '',
    messages,
    isOpen: !CLOSED.includes(status) && category !== 'resolved',
    isOurs:
      isWhole &&
      isMail &&
      !isWithPeople &&
      !isFlood(lately, frontSender(account), customer, messages) &&
      isInInboxes(thread, account.config),
    etag,
  }
}

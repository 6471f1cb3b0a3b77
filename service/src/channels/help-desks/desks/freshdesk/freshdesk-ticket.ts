import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import { DAY_MS } from '../../../../kernel/duration.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import type { DeskAccount, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { MAX_ANSWERS_TO_ADDRESS } from '../answers-lately.ts'
import { DESK_TAGS } from '../desk-tags.ts'
import { isFreshdeskId, readFromFreshdesk } from './freshdesk-api.ts'
import { isOfPart, isOpenInFreshdesk } from './freshdesk-part.ts'
import {
  FreshdeskAgent,
  FreshdeskConversations,
  FreshdeskTicket,
  FreshdeskTickets,
  type FreshdeskConversation,
} from './freshdesk-schemas.ts'

/** A ticket with more messages is a conversation of people. */
const PER_PAGE = 100
/** A rating of the customer, which asks nothing. */
const SURVEY = 6
const OUTBOUND = 10

/** A ticket, and what was said on it, as Freshdesk has it. */
export interface FreshdeskThread {
  ticket: FreshdeskTicket
  said: FreshdeskConversation[]
  isWhole: boolean
  /** Freshdesk knows no condition for a message: what was said last, the status, whose it is and its part are compared before one is posted. */
  etag: string
}

/** Undefined if it is gone. @throws DeskFailure */
export async function readFreshdeskThread(
  id: string,
  account: DeskAccount,
): Promise<FreshdeskThread | undefined> {
  if (!isFreshdeskId(id)) return undefined
  const ticket = await readFromFreshdesk(`/tickets/${id}?include=requester`, FreshdeskTicket, account)
  if (ticket === undefined || ticket.deleted === true) return undefined
  const path = `/tickets/${id}/conversations?per_page=${PER_PAGE}`
  const all = (await readFromFreshdesk(path, FreshdeskConversations, account)) ?? []
  const said = all
    .filter(({ source }) => source !== SURVEY)
    .toSorted((one, other) => Number(one.id) - Number(other.id))
  const { status, source, group_id: group, spam, requester_id: requester } = ticket
  return {
    ticket,
    said,
    isWhole: all.length < PER_PAGE,
    etag: [said.at(-1)?.id ?? 'first', status, source, group, spam === true, requester].join(' '),
  }
}

const textOf = (plain: string | null | undefined, html: string | null | undefined): string =>
  plain ?? textOfHtml(html ?? '')

/** Oldest first; the description is the first one. */
function messagesOf({ ticket, said }: FreshdeskThread, us: string | undefined): DeskMessage[] {
  const { requester_id: requester, source, requester: who } = ticket
  const isAutomatic = isAutomaticMail(`From: ${oneLine(who?.email ?? '', 320)}`)
  const byOf = (author: string | null | undefined, isOfCustomer: boolean): DeskMessage['by'] => {
    if (author !== undefined && author !== null && author === us) return 'us'
    return isOfCustomer ? 'customer' : 'team'
  }
  const first: DeskMessage = {
    id: 'description',
    by: byOf(requester, source !== OUTBOUND),
    isInternal: false,
    isAutomatic,
    text: textOf(ticket.description_text, ticket.description),
  }
  const rest = said.map((one): DeskMessage => {
    const isOfRequester = one.user_id === requester && one.private !== true
    return {
      id: one.id,
      by: byOf(one.user_id, one.incoming === true || isOfRequester),
      isInternal: one.private === true,
      isAutomatic: isAutomatic && isOfRequester,
      text: textOf(one.body_text, one.body),
    }
  })
  return [first, ...rest]
}

/** Whether a requester had so many answers of ours in the last day that it must be a program. @throws DeskFailure */
async function hasEnough(requester: string, account: DeskAccount, now: Date): Promise<boolean> {
  const wanted = new URLSearchParams({
    requester_id: requester,
    updated_since: new Date(now.getTime() - DAY_MS).toISOString(),
    per_page: String(PER_PAGE),
  })
  const lately = await readFromFreshdesk(`/tickets?${wanted.toString()}`, FreshdeskTickets, account)
  const answered = (lately ?? []).filter(({ tags }) => tags?.includes(DESK_TAGS.reply) === true)
  return answered.length >= MAX_ANSWERS_TO_ADDRESS
}

/** A ticket with its conversations. @throws DeskFailure */
export async function readFreshdeskTicket(
  id: string,
  account: DeskAccount,
  now: Date,
): Promise<DeskTicket | undefined> {
  const thread = await readFreshdeskThread(id, account)
  if (thread === undefined) return undefined
  const { ticket, isWhole, etag } = thread
  const me = await readFromFreshdesk('/agents/me', FreshdeskAgent, account)
  const messages = messagesOf(thread, me?.id)
  const isNew = !messages.some(({ by }) => by === 'us')
  const isOurs = isWhole && isOfPart(ticket, account.config)
  const requester = ticket.requester_id ?? ''
  const isFlood = isOurs && isNew && isFreshdeskId(requester) && (await hasEnough(requester, account, now))
  return {
    subject: ticket.subject ?? '',
    messages,
    isOpen: isOpenInFreshdesk(ticket),
    isOurs: isOurs && !isFlood,
    etag,
  }
}

import type { DeskAccount, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { isFlood, type AnswersLately } from '../answers-lately.ts'
import { readFromZendesk, zendeskApi } from './zendesk-api.ts'
import { ZendeskComments, ZendeskMe, ZendeskTicket } from './zendesk-schemas.ts'

/** Conversations in real time: a reply to their ticket does not reach the customer as one would expect. */
const CHAT_CHANNELS = new Set(['chat', 'native_messaging', 'messaging', 'sunshine_conversations_api'])
const CLOSED = new Set(['solved', 'closed', 'deleted'])

export const isZendeskId = (id: string) => /^\d{1,18}$/.test(id)

/** Of whose answers is counted: those of one Zendesk. */
export const zendeskSender = ({ config }: DeskAccount) => `zendesk ${zendeskApi(config) ?? ''}`

/** A ticket with its comments. @throws DeskFailure */
export async function readZendeskTicket(
  id: string,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<DeskTicket | undefined> {
  if (!isZendeskId(id)) return undefined
  // First its mark, then what it has: what comes meanwhile makes the post a conflict.
  const read = await readFromZendesk(`/tickets/${id}.json`, ZendeskTicket, account)
  if (read === undefined) return undefined
  const { ticket } = read
  const comments = await readFromZendesk(
    `/tickets/${id}/comments.json?include=users&sort_order=asc&page%5Bsize%5D=100`,
    ZendeskComments,
    account,
  )
  const me = await readFromZendesk('/users/me.json', ZendeskMe, account)
  const customers = new Set([
    ticket.requester_id,
    ...(comments?.users ?? []).filter(({ role }) => role === 'end-user').map((user) => user.id),
  ])
  const authorOf = (author: string): DeskMessage['by'] => {
    if (author === me?.user.id) return 'us'
    return customers.has(author) ? 'customer' : 'team'
  }
  const messages = (comments?.comments ?? []).map((comment) => ({
    id: comment.id,
    by: authorOf(comment.author_id),
    isInternal: !comment.public,
    // Zendesk suspends what programs send. What it lets through is counted below.
    isAutomatic: false,
    text: comment.plain_body ?? comment.body ?? '',
  }))
  const isWhole = comments?.meta?.has_more !== true
  return {
    subject: ticket.subject ?? '',
    messages,
    isOpen: !CLOSED.has(ticket.status),
    // A person may have written on a page that was not read.
    isOurs:
      isWhole &&
      !isFlood(lately, zendeskSender(account), ticket.requester_id, messages) &&
      !CHAT_CHANNELS.has(String(ticket.via?.channel ?? '')),
    etag: ticket.updated_at,
  }
}

import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import type { DeskAccount, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { isFlood, type AnswersLately } from '../answers-lately.ts'
import { chosenIds, isChosen, textOfSetting, type Chosen } from '../chosen-parts.ts'
import { zammadApi, readFromZammad } from './zammad-api.ts'
import { ZammadArticles, ZammadTicket, ZammadUser, type ZammadArticle } from './zammad-schemas.ts'

/** A ticket with more articles is a conversation of people. */
const MAX_ARTICLES = 100
const CLOSED: readonly unknown[] = ['closed', 'merged', 'removed']
/** What can be answered by mail, and was written by its customer. */
const MAIL: readonly unknown[] = ['email', 'web']

export const isZammadId = (id: string) => /^[1-9]\d{0,17}$/.test(id)

/** A ticket, and what was said on it, as Zammad has it. */
export interface ZammadThread {
  ticket: ZammadTicket
  /** Oldest first, without what Zammad itself says: its acknowledgements neither ask nor take over. */
  said: ZammadArticle[]
  /** Where answers go to; empty if the customer has no address. */
  customer: string
  /** Zammad knows no condition for an article: what was said last, the state, the group and whose it is are compared before one is posted. */
  etag: string
}

/** Undefined if it is gone. @throws DeskFailure */
export async function readZammadThread(id: string, account: DeskAccount): Promise<ZammadThread | undefined> {
  if (!isZammadId(id)) return undefined
  const ticket = await readFromZammad(`/tickets/${id}?expand=true`, ZammadTicket, account)
  if (ticket === undefined) return undefined
  const path = `/ticket_articles/by_ticket/${id}?expand=true`
  const said = ((await readFromZammad(path, ZammadArticles, account)) ?? [])
    .filter(({ sender }) => sender !== 'System')
    .toSorted((one, other) => Number(one.id) - Number(other.id))
  const customer = await readFromZammad(`/users/${ticket.customer_id}`, ZammadUser, account)
  return {
    ticket,
    said,
    customer: oneLine(customer?.email ?? '', 320),
    etag: [said.at(-1)?.id, ticket.state, ticket.group, ticket.customer_id].join(' '),
  }
}

function messageOf(article: ZammadArticle, us: string | undefined): DeskMessage {
  const { id, sender, internal, from, body, content_type: type, created_by_id: by, preferences } = article
  const isOurs = by !== undefined && by !== null && by === us
  const isAutomatic = preferences?.['is-auto-response'] === true
  return {
    id,
    by: sender === 'Customer' ? 'customer' : isOurs ? 'us' : 'team',
    isInternal: internal === true,
    isAutomatic:
      sender === 'Customer' && (isAutomatic || isAutomaticMail(`From: ${oneLine(from ?? '', 500)}`)),
    text: type === 'text/html' ? textOfHtml(body ?? '') : (body ?? ''),
  }
}

/** The groups whose tickets are answered, by their names in small letters. */
export const zammadGroups = ({ groups }: Record<string, unknown>): Chosen =>
  chosenIds(textOfSetting(groups).toLowerCase(), () => true, /,/)

/** Of whose answers is counted: those of one Zammad. */
export const zammadSender = ({ config }: DeskAccount) => `zammad ${zammadApi(config) ?? ''}`

/** A ticket with its articles. @throws DeskFailure */
export async function readZammadTicket(
  id: string,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<DeskTicket | undefined> {
  const thread = await readZammadThread(id, account)
  if (thread === undefined) return undefined
  const { ticket, said, customer, etag } = thread
  const me = await readFromZammad('/users/me', ZammadUser, account)
  const messages = said.map((article) => messageOf(article, me?.id))
  const isMail = said.every(({ sender, type }) => sender !== 'Customer' || MAIL.includes(type))
  const isInGroups = isChosen(zammadGroups(account.config), ticket.group?.toLowerCase())
  const isReachable = customer !== '' && isMail && said.length <= MAX_ARTICLES
  return {
    subject: ticket.title ?? '',
    messages,
    isOpen: !CLOSED.includes(ticket.state),
    isOurs: isReachable && !isFlood(lately, zammadSender(account), customer, messages) && isInGroups,
    etag,
  }
}

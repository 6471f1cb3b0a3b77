import { LIMITS } from '@citewell/contract/limits'
import type { z } from 'zod'
import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import { DeskFailure, type DeskAccount, type DeskMessage, type DeskTicket } from '../../help-desk.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import { isTicketId, readFromRt, settingOf } from './rt-api.ts'
import { RtAttachments, RtHistory, RtTicket } from './rt-schemas.ts'

/** A ticket with more messages is a conversation of people. */
const MAX_MESSAGES = 60
const MESSAGE_TYPES = new Set(['Create', 'Correspond', 'Comment'])
/** RT takes an empty condition for none: an answer could come between people then. */
const NO_ETAG =
  'Request Tracker sends no ETag, so an answer could not be held back if a person writes at the same time. A proxy in front of it may take the header away: let it through.'
const CLOSED = new Set(['resolved', 'rejected', 'deleted'])

type Transaction = z.infer<typeof RtHistory>['items'][number]

type Parts = z.infer<typeof RtAttachments>['items']

interface People {
  us: string
  customers: ReadonlySet<string>
  /** Users that create tickets for customers. */
  intake: ReadonlySet<string>
}

function authorOf({ Creator, Type }: Transaction, { us, customers, intake }: People): DeskMessage['by'] {
  const name = (Creator?.id ?? '').toLowerCase()
  if (name === us) return 'us'
  return customers.has(name) || (Type === 'Create' && intake.has(name)) ? 'customer' : 'team'
}

/** What is read of a text, as a copy: a part of a text keeps the whole in memory, and there may be many large mails. */
const cut = (text: string) => Buffer.from(text.slice(0, LIMITS.ticketText)).toString()

/** The text of a message: plain text if there is some, else HTML without its markup. */
function textOf(parts: Parts): { text: string; headers: string } {
  const isText = ({ Filename }: (typeof parts)[number]) => (Filename ?? '') === ''
  const plain = parts.find((part) => isText(part) && part.ContentType === 'text/plain')
  const html = parts.find((part) => isText(part) && part.ContentType === 'text/html')
  return { text: cut(plain?.Content ?? textOfHtml(html?.Content ?? '')), headers: parts[0]?.Headers ?? '' }
}

/** The parts of a message; none if it is larger than what is read. */
async function readParts(id: string, account: DeskAccount): Promise<Parts> {
  const path = `/transaction/${id}/attachments?fields=ContentType,Content,Headers,Filename&per_page=50`
  try {
    return (await readFromRt(path, RtAttachments, account))?.body.items ?? []
  } catch (failure) {
    if (failure instanceof DeskFailure && failure.isTooLarge) return []
    throw failure
  }
}

const lower = (name: string) => name.trim().toLowerCase()

const peopleOf = ({ Requestor }: z.infer<typeof RtTicket>, config: Record<string, unknown>): People => ({
  us: lower(settingOf(config, 'username') ?? ''),
  customers: new Set((Requestor ?? []).map((requestor) => lower(requestor.id))),
  intake: new Set((settingOf(config, 'intake_users') ?? '').split(',').map(lower)),
})

function isInQueue({ Queue }: z.infer<typeof RtTicket>, config: Record<string, unknown>): boolean {
  const queue = settingOf(config, 'queue')
  return queue === undefined || lower(Queue?.Name ?? '') === lower(queue)
}

/** A ticket with its messages. @throws DeskFailure */
export async function readRtTicket(id: string, account: DeskAccount): Promise<DeskTicket | undefined> {
  if (!isTicketId(id)) return undefined
  const { config } = account
  // Messages that come while the others are read belong to an older mark: then the post is refused, and it is read again.
  const read = await readFromRt(`/ticket/${id}?fields[Queue]=Name`, RtTicket, account)
  if (read === undefined) return undefined
  const etag = read.headers.get('etag') ?? ''
  if (etag === '') throw new DeskFailure(NO_ETAG)
  const history = await readFromRt(
    `/ticket/${id}/history?fields=Type,Creator&per_page=100&orderby=id&order=ASC`,
    RtHistory,
    account,
  )
  const people = peopleOf(read.body, config)
  const transactions = (history?.body.items ?? []).filter(
    ({ id: number, Type }) => MESSAGE_TYPES.has(Type) && isTicketId(number),
  )
  const messages: DeskMessage[] = []
  for (const transaction of transactions.slice(0, MAX_MESSAGES)) {
    const by = authorOf(transaction, people)
    const message = { id: transaction.id, by, isInternal: transaction.Type === 'Comment' }
    if (by !== 'customer') {
      messages.push({ ...message, isAutomatic: false, text: '' })
      continue
    }
    const { text, headers } = textOf(await readParts(transaction.id, account))
    messages.push({ ...message, isAutomatic: isAutomaticMail(headers), text })
  }
  // RT's mark is the number of the last thing that happened. If that is not on the first page, people have done a lot here.
  const last = Number(etag.replaceAll('"', ''))
  const isWhole = (history?.body.items ?? []).some((item) => Number(item.id) >= last)
  return {
    subject: read.body.Subject ?? '',
    messages,
    isOpen: !CLOSED.has(lower(read.body.Status ?? '')),
    isOurs: isWhole && transactions.length <= MAX_MESSAGES && isInQueue(read.body, config),
    etag,
  }
}

import { LIMITS } from '@citewell/contract/limits'
import type { LeftOutReason } from '@citewell/contract/ticket-files'
import { truncateText } from '../../../kernel/cut-text.ts'
import { parseJson } from '../../../kernel/json.ts'
import { ownWords } from '../../../kernel/own-words.ts'
import { beginsMessage } from '../../../kernel/split-mbox.ts'
import { decodeText } from '../charset.ts'
import { ParseFailure } from '../parse-failure.ts'
import { drawSample } from './draw-sample.ts'
import {
  type FoundTicket,
  type LeftOutTickets,
  type ReadTicket,
  type ReadTickets,
  type TicketSample,
} from './ticket-found.ts'
import { ticketsOfMbox } from './ticket-mails.ts'
import { ticketOfObject, ticketsOfLines, ticketsOfTable } from './ticket-table.ts'
import { isFields, isZendeskTicket, ticketOfZendesk } from './zendesk-export.ts'

/** Tickets of one file that are looked at. */
const MAX_FOUND = 100_000
const MAX_REFS = 5

/** Subjects that programs write, in the languages of most mail programs. */
const AUTOMATIC_SUBJECT =
  /^(?:auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|abwesenheits|automatische antwort|réponse automatique|respuesta automática|resposta automática|risposta automatica|automatisch antwoord|undeliver|delivery status notification|mail delivery failed|returned mail|failure notice)/i

type Found = Pick<ReadTickets, 'format'> & { tickets: FoundTicket[] }

function ticketsOfObjects(objects: readonly unknown[]): Found {
  const fields = objects.slice(0, MAX_FOUND).filter(isFields)
  const isZendesk = fields.some(isZendeskTicket)
  const tickets = fields.flatMap((each) =>
    isZendesk && isZendeskTicket(each) ? ticketOfZendesk(each) : (ticketOfObject(each) ?? []),
  )
  return { format: isZendesk ? 'zendesk' : 'json', tickets }
}

/** Objects of JSON: a list, a list in the field `tickets`, or one a line (or pages of an export, one a line). */
function objectsIn(text: string): unknown[] | undefined {
  const listOf = (value: unknown): unknown[] | undefined => {
    if (Array.isArray(value)) return value as unknown[]
    if (!isFields(value)) return undefined
    return Array.isArray(value['tickets']) ? (value['tickets'] as unknown[]) : [value]
  }
  const whole = listOf(parseJson(text))
  if (whole !== undefined) return whole
  const lines = text.split('\n', MAX_FOUND).filter((line) => line.trim() !== '')
  const objects = lines.flatMap((line) => listOf(parseJson(line)) ?? [])
  return objects.length > 0 ? objects : undefined
}

async function findTickets(bytes: Buffer): Promise<Found> {
  if (beginsMessage(bytes, 0)) return { format: 'mbox', tickets: await ticketsOfMbox(bytes) }
  if (bytes.subarray(0, 8_192).includes(0))
    throw new ParseFailure('This is no text. Save the table as CSV, in UTF-8.')
  const text = decodeText(bytes, { charset: undefined, mayDeclare: false }).replace(/^\uFEFF/, '')
  if (/^\s*[[{]/.test(text.slice(0, 1_000))) {
    const objects = objectsIn(text)
    if (objects === undefined)
      throw new ParseFailure('This is neither JSON nor a line of JSON for each ticket.')
    return ticketsOfObjects(objects)
  }
  const table = ticketsOfTable(text, MAX_FOUND)
  if (table === 'unnamed')
    throw new ParseFailure(
      'The first line of this table names no column with the text of a ticket: name it body, description, message, question or text.',
    )
  return table === undefined
    ? { format: 'lines', tickets: ticketsOfLines(text, MAX_FOUND) }
    : { format: 'table', tickets: table }
}

/** What the customer wrote, or why there is nothing to answer. */
function askedIn({ isNone, hasAttachment, ...ticket }: FoundTicket): ReadTicket | LeftOutReason {
  if (isNone !== undefined) return isNone
  if (AUTOMATIC_SUBJECT.test(ticket.subject ?? '')) return 'automatic'
  const body = ownWords(ticket.body).toWellFormed().replaceAll('\0', '')
  if (body.length > LIMITS.ticketText) return 'too_long'
  if (!/[\p{L}\p{N}]/u.test(body)) return hasAttachment ? 'attachment_only' : 'empty'
  const reply = ownWords(ticket.agentReply ?? '')
    .toWellFormed()
    .replaceAll('\0', '')
  return { ...ticket, body, agentReply: reply === '' ? null : truncateText(reply, LIMITS.ticketText) }
}

/**
 * Reads past tickets from a file: a table (CSV with commas, semicolons or tabs), JSON or a line of JSON for each, an export of Zendesk, a
 * mailbox (mbox), or a question a line.
 *
 * @throws ParseFailure if it has no tickets
 */
export async function readTickets(bytes: Uint8Array, sample: TicketSample): Promise<ReadTickets> {
  const { format, tickets } = await findTickets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (tickets.length === 0)
    throw new ParseFailure('There is no ticket in this file: it needs a column or field named body.')
  const asked: ReadTicket[] = []
  const leftOut = new Map<LeftOutReason, LeftOutTickets>()
  for (const ticket of tickets) {
    const read = askedIn(ticket)
    if (typeof read !== 'string') {
      asked.push(read)
      continue
    }
    const known = leftOut.get(read) ?? { reason: read, count: 0, refs: [] }
    known.count += 1
    if (ticket.ref !== null && known.refs.length < MAX_REFS) known.refs.push(ticket.ref)
    leftOut.set(read, known)
  }
  const drawn = drawSample(asked, sample)
  return {
    format,
    found: tickets.length,
    tickets: drawn,
    leftOut: [...leftOut.values()],
    drawnFrom: drawn.length < asked.length ? asked.length : undefined,
  }
}

import { isAutomaticMail } from '../../../kernel/automatic-mail.ts'
import { readMailHeaders } from '../../../kernel/mail-headers.ts'
import { threadsOf, type SourceMail } from '../../../kernel/mail-threads.ts'
import { splitMbox } from '../../../kernel/split-mbox.ts'
import { textOfHtml } from '../../../kernel/text-of-html.ts'
import { parseMail } from '../mail.ts'
import { ParseFailure } from '../parse-failure.ts'
import { subjectOf, timeOf, type FoundTicket } from './ticket-found.ts'

const MAX_MAILS = 50_000
/** Of one mail: a longer one has files at its end. */
const MAIL_BYTES = 131_072

async function wordsOf(bytes: Uint8Array): Promise<{ subject: string; text: string }> {
  try {
    const { subject, text, html } = await parseMail(bytes)
    return { subject, text: text.trim() === '' ? textOfHtml(html) : text }
  } catch (fault) {
    // One mail that cannot be read is an empty one.
    if (fault instanceof ParseFailure) return { subject: '', text: '' }
    throw fault
  }
}

/** The conversations of an mbox file: the first mail of each is the ticket, the first one of somebody else the reply. */
export async function ticketsOfMbox(bytes: Buffer): Promise<FoundTicket[]> {
  const sources = await splitMbox(bytes, MAX_MAILS)
  const mails = sources.map((source, at): SourceMail => {
    const headers = readMailHeaders(source)
    return { headers, at: headers.date ?? new Date(0), place: String(at) }
  })
  const sourceOf = ({ place }: SourceMail) =>
    sources[Number(place)]?.subarray(0, MAIL_BYTES) ?? new Uint8Array()
  const tickets: FoundTicket[] = []
  for (const { mails: ordered } of threadsOf(mails)) {
    const [first] = ordered
    if (first === undefined) continue
    const reply = ordered.find(({ headers }) => headers.from !== first.headers.from)
    const { subject, text } = await wordsOf(sourceOf(first))
    tickets.push({
      ref: first.headers.messageId?.slice(0, 200) ?? null,
      subject: subjectOf(subject),
      body: text,
      askedAt: timeOf(first.headers.date?.toISOString()),
      tags: [],
      agentReply: reply === undefined ? null : (await wordsOf(sourceOf(reply))).text,
      isNone: isAutomaticMail(first.headers.fields, { takesLists: true }) ? 'automatic' : undefined,
      hasAttachment: /^content-type:\s*multipart\/mixed/im.test(first.headers.fields),
    })
  }
  return tickets
}

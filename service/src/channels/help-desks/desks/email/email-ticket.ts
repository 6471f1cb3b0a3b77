import { LIMITS } from '@citewell/contract/limits'
import { ParseFailure } from '../../../../content/parsing/parsing.ts'
import type { DeskMessage, DeskTicket } from '../../help-desk.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import { MAX_ANSWERS_TO_ADDRESS } from '../answers-lately.ts'
import { readMailbox, type EmailAccess, type EmailDesk } from './email-access.ts'
import { ANSWER_MARK } from './own-message-id.ts'
import { MAX_TICKET_ID, readThread, type ThreadMail } from './email-thread.ts'

/** The beginning of a mail: its text comes before what is attached. */
const MAIL_BYTES = 262_144
/** Texts of a customer that are read for one answer. */
const MAX_TEXTS = 20
const COUNTED_MS = 24 * 60 * 60 * 1_000

const isTicketId = (id: string) => id.length <= MAX_TICKET_ID && /^[!-~]{3,}$/.test(id) && !/["<>\\]/.test(id)

/** Whether an address got so many answers lately that it may be a program. */
export async function isFlooded(
  { mailbox, folders, account }: EmailAccess,
  to: string,
  { lately }: Pick<EmailDesk, 'lately'>,
): Promise<boolean> {
  if (lately.count(account.address, to) >= MAX_ANSWERS_TO_ADDRESS) return true
  if (folders.sent === undefined) return false
  await mailbox.open(folders.sent)
  const since = new Date(Date.now() - COUNTED_MS)
  const query = { since, to, header: { 'message-id': ANSWER_MARK } }
  return (await mailbox.search(query, MAX_ANSWERS_TO_ADDRESS)).length >= MAX_ANSWERS_TO_ADDRESS
}

async function textsOf(
  { mailbox }: EmailAccess,
  mails: readonly ThreadMail[],
  desk: EmailDesk,
): Promise<Map<number, { text: string; subject: string }>> {
  const uids = mails.flatMap(({ uid }) => uid ?? [])
  const texts = new Map<number, { text: string; subject: string }>()
  for (const { uid, source } of await mailbox.read(uids, MAIL_BYTES)) {
    try {
      const { text, html, subject } = await desk.parseMail(source, desk.signal)
      const words = text.trim() === '' ? textOfHtml(html) : text
      texts.set(uid, { subject, text: words.slice(0, LIMITS.ticketText) })
    } catch (failure) {
      // It asks nothing that could be answered.
      if (!(failure instanceof ParseFailure)) throw failure
    }
  }
  return texts
}

/** A conversation as a ticket. @throws DeskFailure */
export async function readEmailTicket(id: string, desk: EmailDesk): Promise<DeskTicket | undefined> {
  if (!isTicketId(id)) return undefined
  return await readMailbox(desk, async (access) => {
    const thread = await readThread(access.mailbox, access.folders, id, access.account)
    const { mails, customer } = thread
    const written = mails.filter(({ by, uid }) => by === 'customer' && uid !== undefined)
    if (written.length === 0 && !mails.some(({ uid }) => uid !== undefined)) return undefined
    const texts = await textsOf(access, written.slice(-MAX_TEXTS), desk)
    const messages: DeskMessage[] = mails.map(({ messageId, by, uid }) => ({
      id: messageId,
      by,
      isInternal: false,
      isAutomatic: false,
      text: texts.get(uid ?? 0)?.text ?? '',
    }))
    const hasAnswer = mails.some(({ by }) => by !== 'customer')
    // A person answered in a mail program that keeps no copy here.
    if (!hasAnswer && written.some(({ isAnswered }) => isAnswered))
      messages.push({ id: 'answered', by: 'team', isInternal: false, isAutomatic: false, text: '' })
    const isLeft = !hasAnswer && customer !== undefined && (await isFlooded(access, customer, desk))
    return {
      subject: [...texts.values()][0]?.subject ?? '',
      messages,
      isOpen: true,
      isOurs: thread.isWhole && !isLeft,
      etag: thread.etag,
    }
  })
}

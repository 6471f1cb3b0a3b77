import MailComposer from 'nodemailer/lib/mail-composer'
import { ParseFailure } from '../../../../content/parsing/parsing.ts'
import type { MailHeaders } from '../../../../kernel/mail-headers.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { MailFailure } from '../../../../platform/outbound/mail/mail-server.ts'
import { sendMail, type SendOutcome } from '../../../../platform/outbound/mail/send-mail.ts'
import { unconfirmed, type PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAct } from '../../help-desk.ts'
import { MAX_ANSWERS_TO_ADDRESS } from '../answers-lately.ts'
import { inMailbox, type EmailAccess, type EmailDesk } from './email-access.ts'
import type { EmailAccount } from './email-settings.ts'
import { isFlooded } from './email-ticket.ts'
import { readThread, type MailThread } from './email-thread.ts'
import { ownMessageId } from './own-message-id.ts'
import { wordsOfGone } from '../words-of-gone.ts'

const UNANSWERED = 'citewell-unanswered'
const MAX_SUBJECT = 200
const MAX_REFERENCES = 20
/** Of the beginning of a mail. */
const SUBJECT_BYTES = 65_536
const SEEN = String.raw`\Seen`

const NO_SENT =
  'The mailbox has no folder for sent mail, which every answer is kept in: create one, or set sent_folder to its name.'
const NO_DRAFTS = 'The mailbox has no folder for drafts: create one, or set drafts_folder to its name.'

/**
 * The ids of what an answer follows, oldest first. The first one tells the conversation, also where the program of the customer names the
 * message before and no other.
 */
function referencesOf(
  first: MailHeaders | undefined,
  { messageId, references, inReplyTo }: MailHeaders,
): string[] {
  const root = first?.references[0] ?? first?.inReplyTo ?? first?.messageId
  const named = references.length > 0 ? references : [root, inReplyTo]
  const ids = [...new Set([...named, messageId].flatMap((id) => id ?? []))]
  return [...ids.slice(0, 1), ...ids.slice(1).slice(-MAX_REFERENCES)]
}

/** A mail in answer to the last one of the customer. */
async function compose(
  { mails, customer }: MailThread,
  account: EmailAccount,
  given: { messageId: string; text: string; subject: string; isAnswer: boolean },
): Promise<Buffer> {
  const { address, name } = account
  const last = mails.findLast(({ by }) => by === 'customer')
  const messageId = last?.headers.messageId
  const references = last === undefined ? [] : referencesOf(mails[0]?.headers, last.headers)
  const subject = oneLine(given.subject, MAX_SUBJECT)
  const composer = new MailComposer({
    from: { name, address },
    to: { name: '', address: customer ?? address },
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    messageId: `<${given.messageId}>`,
    ...(messageId !== undefined && { inReplyTo: `<${messageId}>` }),
    references: references.map((id) => `<${id}>`),
    date: new Date(),
    text: given.text,
    ...(given.isAnswer && {
      // RFC 3834: no program answers it. The second one is that of Exchange.
      headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await composer.compile().build()
}

async function isStored({ mailbox }: EmailAccess, folder: string, messageId: string): Promise<boolean> {
  await mailbox.open(folder)
  return (await mailbox.search({ header: { 'message-id': messageId } }, 1)).length > 0
}

function outcomeOf(sent: Exclude<SendOutcome, { is: 'sent' }>): PostOutcome {
  if (sent.is === 'unknown') return { is: 'unknown', because: unconfirmed('The mail server') }
  return sent.is === 'again' ? { is: 'again' } : { is: 'failed', because: sent.failure.message }
}

/** What is known of the conversation in this moment; an outcome if nothing is to be posted. */
async function readUnchanged(
  access: EmailAccess,
  id: string,
  etag: string,
): Promise<MailThread | PostOutcome> {
  const thread = await readThread(access.mailbox, access.folders, id, access.account)
  if (!thread.mails.some(({ by }) => by === 'customer')) return { is: 'failed', because: wordsOfGone('mail') }
  return thread.etag === etag ? thread : { is: 'stale' }
}

async function answer(
  access: EmailAccess,
  desk: EmailDesk,
  { id, etag, text, subject }: { id: string; etag: string; text: string; subject: string },
): Promise<PostOutcome> {
  const { mailbox, folders, account } = access
  if (folders.sent === undefined) return { is: 'failed', because: NO_SENT }
  const messageId = ownMessageId('answer', account, id)
  if (await isStored(access, folders.sent, messageId)) return { is: 'posted', ref: messageId }
  const { customer } = await readThread(mailbox, folders, id, account)
  if (customer !== undefined && (await isFlooded(access, customer, desk)))
    return {
      is: 'failed',
      because: `An address got ${MAX_ANSWERS_TO_ADDRESS} answers in a day: it may be a program that answers them. Its mails are left to people.`,
    }
  // As the last thing before it is sent: nothing of SMTP could hold it back.
  const thread = await readUnchanged(access, id, etag)
  if ('is' in thread) return thread
  const raw = await compose(thread, account, { messageId, text, subject, isAnswer: true })
  const mail = { from: account.address, to: thread.customer ?? account.address, raw }
  const sent = await sendMail(desk.outbound, account.sending, mail, desk.signal)
  // What may have arrived counts too.
  if (sent.is === 'sent' || sent.is === 'unknown') desk.lately.note(account.address, mail.to)
  if (sent.is !== 'sent') return outcomeOf(sent)
  await keepSent(access, folders.sent, messageId, raw, thread)
  return { is: 'posted', ref: messageId }
}

/** What is done after the customer has the answer: nothing of it takes that back. */
async function keepSent(
  access: EmailAccess,
  folder: string,
  messageId: string,
  raw: Buffer,
  { mails }: MailThread,
): Promise<void> {
  const { mailbox, folders } = access
  try {
    // Some providers keep what is sent by themselves.
    if (!(await isStored(access, folder, messageId))) await mailbox.append(folder, raw, [SEEN])
    await mailbox.open(folders.inbox, { readOnly: false })
    const answered = mails.filter(({ by }) => by === 'customer').flatMap(({ uid }) => uid ?? [])
    await mailbox.flag(answered, [String.raw`\Answered`])
  } catch (failure) {
    if (!(failure instanceof MailFailure)) throw failure
  }
}

async function draft(
  access: EmailAccess,
  { id, etag, text, subject }: { id: string; etag: string; text: string; subject: string },
): Promise<PostOutcome> {
  const { mailbox, folders, account } = access
  if (folders.drafts === undefined) return { is: 'failed', because: NO_DRAFTS }
  const thread = await readUnchanged(access, id, etag)
  if ('is' in thread) return thread
  const messageId = ownMessageId('draft', account, id, etag)
  if (await isStored(access, folders.drafts, messageId)) return { is: 'posted', ref: messageId }
  const raw = await compose(thread, account, { messageId, text, subject, isAnswer: false })
  await mailbox.append(folders.drafts, raw, [String.raw`\Draft`, SEEN])
  return { is: 'posted', ref: messageId }
}

/** Moves what the customer wrote to the folder of those who take over, with a note that says why. */
async function handOver(
  access: EmailAccess,
  { id, to, text, subject }: { id: string; to: string; text: string; subject: string },
): Promise<PostOutcome> {
  const { mailbox, folders, account } = access
  const thread = await readThread(mailbox, folders, id, account)
  const uids = thread.mails.flatMap(({ uid }) => uid ?? [])
  if (uids.length === 0) return { is: 'posted', ref: undefined }
  const messageId = ownMessageId('note', account, id, text)
  if (!(await isStored(access, to, messageId))) {
    const note = { messageId, text, subject, isAnswer: true }
    await mailbox.append(to, await compose({ ...thread, customer: account.address }, account, note), [SEEN])
  }
  await mailbox.open(folders.inbox, { readOnly: false })
  await mailbox.move(uids, to)
  return { is: 'posted', ref: undefined }
}

async function mark({ mailbox, folders, account }: EmailAccess, id: string): Promise<PostOutcome> {
  const { mails } = await readThread(mailbox, folders, id, account)
  const { takesKeywords } = await mailbox.open(folders.inbox, { readOnly: false })
  if (takesKeywords)
    await mailbox.flag(
      mails.flatMap(({ uid }) => uid ?? []),
      [UNANSWERED],
    )
  return { is: 'posted', ref: undefined }
}

async function subjectOf(access: EmailAccess, desk: EmailDesk, id: string): Promise<string> {
  const { mails } = await readThread(access.mailbox, access.folders, id, access.account)
  const uid = mails.findLast(({ by }) => by === 'customer')?.uid
  if (uid === undefined) return ''
  const [mail] = await access.mailbox.read([uid], SUBJECT_BYTES)
  try {
    return mail === undefined ? '' : (await desk.parseMail(mail.source, desk.signal)).subject
  } catch (failure) {
    if (failure instanceof ParseFailure) return ''
    throw failure
  }
}

const WHAT: Record<DeskAct['do'], string> = {
  reply: 'An answer could not be sent',
  note: 'A draft could not be stored',
  hand_over: 'A mail could not be handed over',
  mark: 'A mail could not be marked',
}

/** Answers, drafts, hands over and marks. Reading comes first: until something was sent, every failure may be repeated. */
export async function postByEmail(
  id: string,
  act: DeskAct,
  etag: string,
  desk: EmailDesk,
): Promise<PostOutcome> {
  try {
    return await inMailbox(desk, async (access) => {
      if (act.do === 'mark') return await mark(access, id)
      const subject = await subjectOf(access, desk, id)
      if (act.do === 'hand_over') return await handOver(access, { id, to: act.to, text: act.text, subject })
      const given = { id, etag, text: act.text, subject }
      return act.do === 'note' ? await draft(access, given) : await answer(access, desk, given)
    })
  } catch (failure) {
    // Nothing was sent: what follows a mail that was sent throws nothing.
    if (desk.signal.aborted) return { is: 'again' }
    if (!(failure instanceof MailFailure)) throw failure
    return failure.fault === 'unreachable' || failure.fault === 'broken'
      ? { is: 'again' }
      : { is: 'failed', because: `${WHAT[act.do]}: ${failure.message}` }
  }
}

import { createHash } from 'node:crypto'
import { readMailHeaders, type MailHeaders } from '../../../../kernel/mail-headers.ts'
import type { Mailbox } from '../../../../platform/outbound/mail/open-mailbox.ts'
import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import type { DeskAuthor } from '../../help-desk.ts'
import type { EmailAccount } from './email-settings.ts'
import { isOurAnswer } from './own-message-id.ts'

/** A message of a conversation, without its text. */
export interface ThreadMail {
  /** In the folder of what customers write; undefined: we or the team sent it. */
  uid: number | undefined
  messageId: string
  headers: MailHeaders
  receivedAt: Date
  by: DeskAuthor
  /** A person has answered it in a mail program. */
  isAnswered: boolean
}

export interface MailThread {
  /** Oldest first, without what programs sent. */
  mails: readonly ThreadMail[]
  /** Who began it, unless the team did. */
  customer: string | undefined
  /** Whether everything of it was read. */
  isWhole: boolean
  etag: string
}

export interface Folders {
  inbox: string
  sent: string | undefined
  drafts: string | undefined
}

/** A conversation with more messages is one of people. */
const MAX_MAILS = 60
const HEADER_BYTES = 32_768
/** Ids whose answers are looked for: mail programs that send no `References`. */
const MAX_ANSWERED_IDS = 10
/** Characters of the id of a ticket, which is the id of its first message. */
export const MAX_TICKET_ID = 200

export const ticketIdOf = (messageId: string) => messageId.slice(0, MAX_TICKET_ID)

/** The folders of an account: as set, else as the server says, else by their usual names. */
export async function findFolders(mailbox: Mailbox, account: EmailAccount): Promise<Folders> {
  const folders = account.sent === undefined || account.drafts === undefined ? await mailbox.folders() : []
  const find = (use: string, names: readonly string[]) =>
    folders.find((folder) => folder.use === use)?.path ??
    folders.find(({ path }) => names.includes(path.toLowerCase()))?.path
  return {
    inbox: account.inbox,
    sent: account.sent ?? find(String.raw`\Sent`, ['sent', 'sent items', 'sent messages', 'inbox.sent']),
    drafts: account.drafts ?? find(String.raw`\Drafts`, ['drafts', 'inbox.drafts']),
  }
}

interface FoundMail {
  uid: number
  flags: ReadonlySet<string>
  receivedAt: Date
  headers: MailHeaders
}

async function headersOf(mailbox: Mailbox, uids: readonly number[]): Promise<FoundMail[]> {
  const mails = await mailbox.read(uids, HEADER_BYTES)
  return mails.map(({ source, ...mail }) => ({ ...mail, headers: readMailHeaders(source) }))
}

/** What belongs to a conversation in the folder that is open: it answers one of these ids, or has the id of the first message. */
async function findInFolder(
  mailbox: Mailbox,
  ticketId: string,
  answered: readonly string[],
): Promise<{ mails: FoundMail[]; isWhole: boolean }> {
  const asked = answered.slice(-MAX_ANSWERED_IDS)
  const searched = [
    ...['message-id', 'references', 'in-reply-to'].map((name) => ({ header: { [name]: ticketId } })),
    ...asked.map((id) => ({ header: { 'in-reply-to': id } })),
  ]
  const uids = await mailbox.search({ or: searched }, MAX_MAILS + 1)
  // Servers find parts of ids too.
  const isRoot = (id: string | undefined) => id !== undefined && ticketIdOf(id) === ticketId
  const mails = (await headersOf(mailbox, uids)).filter(
    ({ headers: { messageId, references, inReplyTo } }) =>
      isRoot(messageId) ||
      isRoot(inReplyTo) ||
      references.some(isRoot) ||
      asked.some((id) => id === inReplyTo),
  )
  return { mails, isWhole: uids.length <= MAX_MAILS }
}

const idOf = ({ headers, uid }: FoundMail, folder: string) => headers.messageId ?? `${folder} ${uid}`

/** The messages of a conversation in what was received and what was sent. Leaves the folder of what was received open. */
export async function readThread(
  mailbox: Mailbox,
  folders: Folders,
  ticketId: string,
  account: EmailAccount,
): Promise<MailThread> {
  let isWhole = true
  const find = async (answered: readonly string[]): Promise<FoundMail[]> => {
    const found = await findInFolder(mailbox, ticketId, answered)
    isWhole &&= found.isWhole
    return found.mails
  }
  let sent: FoundMail[] = []
  if (folders.sent !== undefined) {
    await mailbox.open(folders.sent)
    sent = await find([])
  }
  const sentIds = sent.map((mail) => idOf(mail, 'sent'))
  await mailbox.open(folders.inbox)
  let received = await find(sentIds)
  if (received.length > 1) received = await find([...sentIds, ...received.map((mail) => idOf(mail, 'inbox'))])
  const known = new Set(sentIds)
  const genuine = received.filter(
    (mail) => !known.has(idOf(mail, 'inbox')) && !isAutomaticMail(mail.headers.fields),
  )
  const byTime = [
    ...sent.map((mail) => ({ ...mail, isSent: true })),
    ...genuine.map((mail) => ({ ...mail, isSent: false })),
  ].toSorted((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
  const customer = byTime.find(
    ({ isSent, headers: { from } }) => !isSent && from !== undefined && !account.isTeam(from),
  )?.headers.from
  const authorOf = ({ isSent, headers }: (typeof byTime)[number]): DeskAuthor => {
    if (!isSent && customer !== undefined && headers.from === customer) return 'customer'
    const isOurs = isSent || headers.from === account.address
    return isOurs && isOurAnswer(headers.messageId) ? 'us' : 'team'
  }
  const mails = byTime.map((mail) => ({
    uid: mail.isSent ? undefined : mail.uid,
    messageId: idOf(mail, mail.isSent ? 'sent' : 'inbox'),
    headers: mail.headers,
    receivedAt: mail.receivedAt,
    by: authorOf(mail),
    isAnswered: mail.flags.has(String.raw`\Answered`),
  }))
  return {
    mails,
    customer,
    isWhole,
    etag: createHash('sha256')
      .update(
        mails
          .map(({ messageId, isAnswered }) => `${messageId} ${isAnswered}`)
          .toSorted()
          .join('\n'),
      )
      .digest('hex')
      .slice(0, 32),
  }
}

/** Steps towards the beginning of a conversation, for programs that only name the message before. */
const MAX_STEPS = 10

/** The id of the first message of the conversation that a mail belongs to. The folder that is open may be another one afterwards. */
export async function rootOf(
  mailbox: Mailbox,
  folders: Folders,
  { messageId, references, inReplyTo }: MailHeaders,
): Promise<string | undefined> {
  if (messageId === undefined) return undefined
  let root = references[0] ?? inReplyTo ?? messageId
  let isFollowed = references.length === 0 && inReplyTo !== undefined
  for (let step = 0; isFollowed && step < MAX_STEPS; step += 1) {
    isFollowed = false
    for (const folder of [folders.sent, folders.inbox]) {
      if (folder === undefined) continue
      await mailbox.open(folder)
      const id = root
      const found = await headersOf(mailbox, await mailbox.search({ header: { 'message-id': id } }, 5))
      const before = found.find(({ headers }) => headers.messageId === id)
      if (before === undefined) continue
      const { references: earlier, inReplyTo: previous } = before.headers
      const next = earlier[0] ?? previous
      if (next === undefined) return root
      root = next
      isFollowed = earlier.length === 0
      break
    }
  }
  return root
}

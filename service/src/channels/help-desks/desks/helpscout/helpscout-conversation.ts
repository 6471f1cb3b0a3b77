import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import {
  DeskFailure,
  type DeskAccount,
  type DeskAuthor,
  type DeskMessage,
  type DeskTicket,
} from '../../help-desk.ts'
import { isFlood, type AnswersLately } from '../answers-lately.ts'
import { chosenIds, isChosen, type Chosen } from '../chosen-parts.ts'
import { isHelpscoutId, type HelpscoutApi } from './helpscout-api.ts'
import {
  HelpscoutConversation,
  HelpscoutSource,
  HelpscoutUser,
  type HelpscoutThread,
} from './helpscout-schemas.ts'

/** A conversation with more threads is one of people; Help Scout takes no thread after the hundredth. */
const MAX_THREADS = 80
/** Mails of which the source is read: those that an answer would be for. */
const MAX_SOURCES = 3
const OPEN: readonly unknown[] = ['active', 'pending']
/** What stands for nobody where an assignee is expected. */
const NOBODY: readonly unknown[] = [undefined, null, '0', '1']

/** A conversation, and what was said in it, as Help Scout has it. */
export interface HelpscoutTalk {
  conversation: HelpscoutConversation
  /** Oldest first, without what Help Scout notes, what workflows sent, and drafts. */
  said: HelpscoutThread[]
  isWhole: boolean
  /** Where answers go to; empty if the customer has no address. */
  customer: string
  /** Help Scout knows no condition for a thread: what was said, the status, whose it is and its inbox are compared before one is posted. */
  etag: string
}

const isOfCustomer = ({ type, createdBy }: HelpscoutThread) =>
  type === 'customer' || createdBy?.type === 'customer'

/** A workflow that runs by itself neither asks nor takes over. */
const isOfWorkflow = (thread: HelpscoutThread) =>
  thread.action?.type === 'automatic-workflow' && !isOfCustomer(thread)

/** Undefined if it is gone: deleted, or merged into another. @throws DeskFailure */
export async function readHelpscoutTalk(
  api: HelpscoutApi,
  id: string,
  account: DeskAccount,
): Promise<HelpscoutTalk | undefined> {
  if (!isHelpscoutId(id)) return undefined
  const read = await api.read(`/conversations/${id}?embed=threads`, HelpscoutConversation, account)
  if (read === undefined || read.body.state === 'deleted') return undefined
  const conversation = read.body
  const published = conversation.all.filter(
    ({ type, state }) => type !== 'lineitem' && (state ?? 'published') === 'published',
  )
  const said = published
    .filter((thread) => !isOfWorkflow(thread))
    .toSorted((one, other) => Number(one.id) - Number(other.id))
  const { status, state, type, mailboxId, assignee, primaryCustomer } = conversation
  const decisive = [status, state, type, mailboxId, assignee?.id, primaryCustomer?.id]
  return {
    conversation,
    said,
    isWhole: published.length >= (conversation.threads ?? 0) && published.length <= MAX_THREADS,
    customer: oneLine(primaryCustomer?.email ?? '', 320),
    // Counted, because a draft that a person sends has an older id than what came after it was begun.
    etag: [said.at(-1)?.id, said.length, ...decisive].join(' '),
  }
}

function authorOf(thread: HelpscoutThread, us: string | undefined): DeskAuthor {
  if (isOfCustomer(thread)) return 'customer'
  return us !== undefined && thread.createdBy?.id === us ? 'us' : 'team'
}

/** Whether a mail says that a program sent it. What Help Scout does not keep, or does not show to this user, says nothing. @throws DeskFailure */
async function saysAutomatic(
  api: HelpscoutApi,
  id: string,
  thread: HelpscoutThread,
  account: DeskAccount,
): Promise<boolean> {
  try {
    const path = `/conversations/${id}/threads/${thread.id}/original-source`
    const source = (await api.read(path, HelpscoutSource, account))?.body.original ?? ''
    const end = source.search(/\r?\n\r?\n/)
    return isAutomaticMail(end === -1 ? source : source.slice(0, end))
  } catch (failure) {
    // A large mail has attachments of a person.
    if (failure instanceof DeskFailure && (failure.isTooLarge || failure.isForbidden)) return false
    throw failure
  }
}

/** Those of the mails that an answer would be for which say that a program sent them. @throws DeskFailure */
async function automaticIn(
  api: HelpscoutApi,
  id: string,
  { said }: HelpscoutTalk,
  messages: readonly DeskMessage[],
  account: DeskAccount,
): Promise<ReadonlySet<string>> {
  const since = messages.findLastIndex(({ by }) => by === 'us')
  const asked = said.filter((thread, at) => at > since && isOfCustomer(thread)).slice(-MAX_SOURCES)
  const automatic = new Set<string>()
  for (const thread of asked) if (await saysAutomatic(api, id, thread, account)) automatic.add(thread.id)
  return automatic
}

/** The inboxes whose conversations are answered. */
export const helpscoutInboxes = ({ inboxes }: Record<string, unknown>): Chosen =>
  chosenIds(inboxes, isHelpscoutId)

export const isOpenInHelpscout = (status: string | null | undefined): boolean => OPEN.includes(status)

/** Of whose answers is counted: those of one app of Help Scout. */
export const helpscoutSender = ({ credentials }: DeskAccount) => `helpscout ${credentials['app_id'] ?? ''}`

/** Whether it is mail that nobody has, in an inbox that the owner chose. */
function isForUs(
  { conversation, isWhole, customer }: HelpscoutTalk,
  us: string | undefined,
  account: DeskAccount,
) {
  const { type, mailboxId, assignee } = conversation
  const isInInboxes = isChosen(helpscoutInboxes(account.config), mailboxId)
  const isWithPeople = !NOBODY.includes(assignee?.id) && assignee?.id !== us
  return isWhole && type === 'email' && customer !== '' && isInInboxes && !isWithPeople
}

function messageOf(thread: HelpscoutThread, us: string | undefined): DeskMessage {
  const by = authorOf(thread, us)
  return {
    id: thread.id,
    by,
    isInternal: thread.type === 'note',
    isAutomatic: by === 'customer' && isAutomaticMail(`From: ${oneLine(thread.createdBy?.email ?? '', 320)}`),
    text: textOfHtml(thread.body ?? ''),
  }
}

/** A conversation of mail. @throws DeskFailure */
export async function readHelpscoutConversation(
  api: HelpscoutApi,
  id: string,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<DeskTicket | undefined> {
  const talk = await readHelpscoutTalk(api, id, account)
  if (talk === undefined) return undefined
  const { conversation, said, customer, etag } = talk
  const us = (await api.read('/users/me', HelpscoutUser, account))?.body.id
  const messages = said.map((thread) => messageOf(thread, us))
  const isOurs = isForUs(talk, us, account) && !isFlood(lately, helpscoutSender(account), customer, messages)
  const isOpen = isOpenInHelpscout(conversation.status) && conversation.state !== 'draft'
  // Only what may be answered is worth the requests.
  const isAsked = isOurs && isOpen && !messages.some(({ by }) => by === 'team')
  const automatic = isAsked ? await automaticIn(api, id, talk, messages, account) : new Set<string>()
  return {
    subject: conversation.subject ?? '',
    messages: messages.map((one) => (automatic.has(one.id) ? { ...one, isAutomatic: true } : one)),
    isOpen,
    isOurs,
    etag,
  }
}

import { isAutomaticMail } from '../../../../kernel/automatic-mail.ts'
import { oneLine } from '../../../../kernel/one-line.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import type { DeskAccount, DeskAuthor, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { isFlood, type AnswersLately } from '../answers-lately.ts'
import { chosenIds, isChosen, type Chosen } from '../chosen-parts.ts'
import { CONVERSATIONS, hubspotAgent, isHubspotId, readFromHubspot, readHubspotToken } from './hubspot-api.ts'
import { HubspotMessages, HubspotOriginal, HubspotThread, type HubspotMessage } from './hubspot-schemas.ts'

const PER_PAGE = 100
/** A thread with more is one of people. */
const MAX_PAGES = 3
/** Messages that are read in full: those that an answer would be for. */
const MAX_ORIGINALS = 3
/** The channel of mail; it is the same one in every account. */
const MAIL = '1002'
const EMAIL_ADDRESS = 'HS_EMAIL_ADDRESS'

/** A thread, and what people and this service said in it, as HubSpot has it. */
export interface HubspotTalk {
  thread: HubspotThread
  /** Oldest first, without what HubSpot notes, and what bots, workflows and other integrations say. */
  said: HubspotMessage[]
  isWhole: boolean
  /** The last message of the customer, which an answer goes back to. */
  lastAsked: HubspotMessage | undefined
  /** Where answers go to; empty if it is no mail, or has no address. */
  customer: string
  /** HubSpot knows no condition for a message: what was said, the status, whose it is and its inbox are compared before one is posted. */
  etag: string
}

const actorOf = ({ senders, createdBy, direction }: HubspotMessage): string => {
  const actor = senders?.[0]?.actorId ?? undefined
  // Whoever is no contact yet has no actor: then it was created by HubSpot.
  return actor ?? (direction === 'INCOMING' ? '' : (createdBy ?? ''))
}

/** Users are people, unless HubSpot itself sends in their name. */
const isOfTeam = (message: HubspotMessage) =>
  actorOf(message).startsWith('A-') && message.client?.clientType !== 'SYSTEM'

const isOfCustomer = (message: HubspotMessage) =>
  message.type === 'MESSAGE' && message.direction === 'INCOMING' && !/^[ABILS]-/.test(actorOf(message))

export const isByIntegration = ({ client }: HubspotMessage) =>
  client?.clientType === 'INTEGRATION' && (client.integrationAppId ?? undefined) !== undefined

/** What programs say is neither the customer's nor the team's; what an integration posts may be our own, which its app tells. */
const isSaid = (message: HubspotMessage) =>
  ['MESSAGE', 'COMMENT'].includes(message.type) &&
  message.archived !== true &&
  (isOfCustomer(message) || isOfTeam(message) || isByIntegration(message))

async function readMessages(id: string, account: DeskAccount) {
  const all: HubspotMessage[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(PER_PAGE), ...(after !== undefined && { after }) })
    const path = `${CONVERSATIONS}/threads/${id}/messages?${query.toString()}`
    const read = (await readFromHubspot(path, HubspotMessages, account))?.body
    all.push(...(read?.items ?? []))
    after = read?.next
    if (after === undefined) return { all, isWhole: true }
  }
  return { all, isWhole: false }
}

/** Undefined if it is gone: deleted, or archived, which deletes it in thirty days. @throws DeskFailure */
export async function readHubspotTalk(id: string, account: DeskAccount): Promise<HubspotTalk | undefined> {
  if (!isHubspotId(id)) return undefined
  const thread = (await readFromHubspot(`${CONVERSATIONS}/threads/${id}`, HubspotThread, account))?.body
  if (thread === undefined || thread.archived === true) return undefined
  const { all, isWhole } = await readMessages(id, account)
  // Ids have no order.
  const said = all
    .filter((message) => isSaid(message))
    .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
  const lastAsked = said.findLast((message) => isOfCustomer(message))
  const from = lastAsked?.senders?.[0]?.deliveryIdentifier
  const { status, assignedTo, inboxId, spam } = thread
  return {
    thread,
    said,
    isWhole,
    lastAsked,
    customer: from?.type === EMAIL_ADDRESS ? oneLine(from.value, 320) : '',
    etag: [said.at(-1)?.id, said.length, status, assignedTo, inboxId, spam === true].join(' '),
  }
}

/** Undefined: of another program. */
function authorOf(message: HubspotMessage, app: string | undefined): DeskAuthor | undefined {
  if (isOfCustomer(message)) return 'customer'
  if (isByIntegration(message) && message.client?.integrationAppId === app) return 'us'
  return isOfTeam(message) ? 'team' : undefined
}

function* messagesOf(said: readonly HubspotMessage[], app: string | undefined): Generator<DeskMessage> {
  for (const message of said) {
    const { id, type, text, richText, senders } = message
    const by = authorOf(message, app)
    if (by === undefined) continue
    const from = oneLine(senders?.[0]?.deliveryIdentifier?.value ?? '', 320)
    yield {
      id,
      by,
      isInternal: type === 'COMMENT',
      isAutomatic: by === 'customer' && isAutomaticMail(`From: ${from}`),
      text: (text ?? '') === '' ? textOfHtml(richText ?? '') : (text ?? ''),
    }
  }
}

/** The whole of a long message; what it quotes may be cut off, and stays so. @throws DeskFailure */
async function readInFull(
  id: string,
  { said }: HubspotTalk,
  messages: readonly DeskMessage[],
  account: DeskAccount,
): Promise<DeskMessage[]> {
  const since = messages.findLastIndex(({ by }) => by === 'us')
  const cut = new Set(
    said.filter(({ truncationStatus }) => truncationStatus === 'TRUNCATED').map((message) => message.id),
  )
  const asked = messages
    .filter((message, at) => at > since && message.by === 'customer' && cut.has(message.id))
    .slice(-MAX_ORIGINALS)
  const full = new Map<string, string>()
  for (const message of asked) {
    const path = `${CONVERSATIONS}/threads/${id}/messages/${encodeURIComponent(message.id)}/original-content`
    const original = (await readFromHubspot(path, HubspotOriginal, account))?.body
    full.set(message.id, original?.text ?? textOfHtml(original?.richText ?? ''))
  }
  return messages.map((message) => {
    const text = full.get(message.id) ?? ''
    return text === '' ? message : { ...message, text }
  })
}

/** The inboxes whose threads are answered. */
export const hubspotInboxes = ({ inboxes }: Record<string, unknown>): Chosen =>
  chosenIds(inboxes, isHubspotId)

/** Of whose answers is counted: those of one user of HubSpot. */
export const hubspotSender = ({ config }: DeskAccount) => `hubspot ${hubspotAgent(config, 'sender') ?? ''}`

/** Whether it is mail that nobody has, in an inbox that the owner chose. */
function isForUs({ thread, said, isWhole, customer }: HubspotTalk, { config }: DeskAccount): boolean {
  const isInInboxes = isChosen(hubspotInboxes(config), thread.inboxId)
  const isMail = said.every(({ type, channelId }) => type !== 'MESSAGE' || channelId === MAIL)
  // HubSpot gives a thread to the user who answers first, which may be ours.
  const isWithPeople = ![undefined, null, hubspotAgent(config, 'sender')].includes(thread.assignedTo)
  return isWhole && isMail && customer !== '' && isInInboxes && !isWithPeople && thread.spam !== true
}

/** A thread of mail. @throws DeskFailure */
export async function readHubspotThread(
  id: string,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<DeskTicket | undefined> {
  const talk = await readHubspotTalk(id, account)
  if (talk === undefined) return undefined
  const { thread, said, lastAsked, customer, etag } = talk
  const app = said.some((message) => isByIntegration(message))
    ? (await readHubspotToken(account))?.appId
    : undefined
  const messages = [...messagesOf(said, app)]
  const isOurs = isForUs(talk, account) && !isFlood(lately, hubspotSender(account), customer, messages)
  const isOpen = thread.status === 'OPEN'
  // Only what may be answered is worth the requests.
  const isAsked = isOurs && isOpen && !messages.some(({ by }) => by === 'team')
  return {
    subject: lastAsked?.subject ?? '',
    messages: isAsked ? await readInFull(id, talk, messages, account) : messages,
    isOpen,
    isOurs,
    etag,
  }
}

import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import { DESK_TAGS } from '../desk-tags.ts'
import { htmlOfText } from '../html-of-text.ts'
import { beforeSending, readFirst } from '../read-first.ts'
import { isFreshdeskId, readFromFreshdesk, sendToFreshdesk } from './freshdesk-api.ts'
import { FreshdeskAgent } from './freshdesk-schemas.ts'
import { readFreshdeskThread, type FreshdeskThread } from './freshdesk-ticket.ts'

const OPEN = 2
/** Values of the setting, and what they are there. */
const STATUSES = new Map<unknown, number>([
  ['pending', 3],
  ['resolved', 4],
])
const LOW = 1

const taggedWith = ({ ticket }: FreshdeskThread, act: DeskAct['do']) => ({
  tags: [...new Set([...(ticket.tags ?? []), DESK_TAGS[act]])],
})

const readThread = (id: string, account: DeskAccount) =>
  readFirst('ticket', () => readFreshdeskThread(id, account), account)

/**
 * Marks a ticket that has its answer. Freshdesk takes no status with a message, and a status that came after the customer's next words would
 * close them: it is set only if our answer is the last.
 */
async function markAnswered(id: string, given: FreshdeskThread, account: DeskAccount): Promise<void> {
  const status = STATUSES.get(account.config['status_after_answer'])
  const next = status === undefined ? { is: 'read' as const, value: given } : await readThread(id, account)
  if (next.is !== 'read') return
  const isLast = next.value.said.length === given.said.length + 1
  const fields = { ...taggedWith(next.value, 'reply'), ...(status !== undefined && isLast && { status }) }
  await sendToFreshdesk('PUT', `/tickets/${id}`, fields, account)
}

/** Gives a ticket to people. A second attempt changes it again, to the same. */
async function handOver(
  id: string,
  act: DeskAct & { do: 'hand_over' },
  given: FreshdeskThread,
  account: DeskAccount,
): Promise<PostOutcome> {
  const group = isFreshdeskId(act.to) ? { group_id: Number(act.to) } : {}
  const fields = { ...taggedWith(given, 'hand_over'), ...group }
  const moved = await sendToFreshdesk('PUT', `/tickets/${id}`, fields, account)
  if (moved.is !== 'posted') return moved
  return await sendToFreshdesk('POST', `/tickets/${id}/notes`, noteOf(act.text), account)
}

const noteOf = (text: string) => ({ body: htmlOfText(text), private: true })

/** Posts to a ticket. An answer is not posted if somebody wrote, or anything changed that decides whether it is ours, since `etag`. */
export const postToFreshdesk: HelpDesk['post'] = async (id, act, etag, account) => {
  const first = await readThread(id, account)
  if (first.is !== 'read') return first
  const read = first.value
  if (act.do === 'hand_over') return await handOver(id, act, read, account)
  if (act.do === 'mark')
    return await sendToFreshdesk('PUT', `/tickets/${id}`, taggedWith(read, act.do), account)
  if (read.etag !== etag) return { is: 'stale' }
  const posted =
    act.do === 'reply'
      ? await sendToFreshdesk('POST', `/tickets/${id}/reply`, { body: htmlOfText(act.text) }, account)
      : await sendToFreshdesk('POST', `/tickets/${id}/notes`, noteOf(act.text), account)
  if (posted.is !== 'posted') return posted
  // What follows is for views and reports: the message is there, whatever becomes of it.
  if (act.do === 'reply') await markAnswered(id, read, account)
  else await sendToFreshdesk('PUT', `/tickets/${id}`, taggedWith(read, act.do), account)
  return { is: 'posted', ref: id }
}

/** Opens a ticket whose requester is the agent of the key. */
export const openFreshdeskTicket: NonNullable<HelpDesk['open']> = async ({ subject, text }, account) => {
  const me = await beforeSending(() => readFromFreshdesk('/agents/me', FreshdeskAgent, account), account)
  if (me.is === 'again') return me
  const to = account.config['hand_over_to']
  const group = typeof to === 'string' && isFreshdeskId(to.trim()) ? { group_id: Number(to.trim()) } : {}
  const ticket = {
    email: me.value?.contact?.email ?? '',
    subject,
    description: htmlOfText(text),
    status: OPEN,
    priority: LOW,
    tags: [DESK_TAGS.hand_over],
    ...group,
  }
  return await sendToFreshdesk('POST', '/tickets', ticket, account)
}

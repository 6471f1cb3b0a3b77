import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import { settingText } from '../../desk-settings.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import type { AnswersLately } from '../answers-lately.ts'
import { DESK_TAGS } from '../desk-tags.ts'
import { beforeSending, readFirst } from '../read-first.ts'
import { readFromZammad, sendToZammad } from './zammad-api.ts'
import { ZammadUser } from './zammad-schemas.ts'
import { readZammadThread, zammadSender, type ZammadThread } from './zammad-ticket.ts'

const MAX_BODY = 50_000

/** Adds a tag. A ticket that has it keeps it. */
const tag = async (id: string, act: DeskAct['do'], account: DeskAccount): Promise<PostOutcome> =>
  await sendToZammad(
    'POST',
    '/tags/add',
    { item: DESK_TAGS[act], object: 'Ticket', o_id: Number(id) },
    account,
    true,
  )

/** An article of type email would be sent even if it is internal: a note is of type note. */
const noteOf = (text: string) => ({
  body: text.slice(0, MAX_BODY),
  content_type: 'text/plain',
  type: 'note',
  internal: true,
})

const mailOf = (text: string, { ticket, customer }: ZammadThread) => ({
  to: customer,
  subject: ticket.title ?? '',
  body: text.slice(0, MAX_BODY),
  content_type: 'text/plain',
  type: 'email',
  internal: false,
})

/** What an act changes of a ticket, in one request with its article. */
function changeOf(
  act: DeskAct & { text: string },
  thread: ZammadThread,
  config: Record<string, unknown>,
): Record<string, unknown> {
  if (act.do === 'hand_over') {
    const group = act.to.trim()
    return { ...(group !== '' && { group }), article: noteOf(act.text) }
  }
  if (act.do === 'note') return { article: noteOf(act.text) }
  const state = settingText(config['state_after_answer'])
  return { ...(state !== undefined && { state }), article: mailOf(act.text, thread) }
}

/** Posts to a ticket. An answer is not posted if somebody wrote, or anything changed that decides whether it is ours, since `etag`. */
export const postToZammad =
  (lately: AnswersLately): HelpDesk['post'] =>
  async (id, act, etag, account) => {
    const first = await readFirst('ticket', () => readZammadThread(id, account), account)
    if (first.is !== 'read') return first
    const read = first.value
    if (act.do === 'mark') return await tag(id, act.do, account)
    if (act.do !== 'hand_over' && read.etag !== etag) return { is: 'stale' }
    const change = changeOf(act, read, account.config)
    const posted = await sendToZammad('PUT', `/tickets/${id}`, change, account, false)
    if (posted.is !== 'posted') return posted
    if (act.do === 'reply') lately.note(zammadSender(account), read.customer)
    // The tag is for views and reports: the article is there, whatever becomes of it.
    await tag(id, act.do, account)
    return { is: 'posted', ref: id }
  }

/** Opens a ticket in the group of people, whose customer is the agent of the token. */
export const openZammadTicket: NonNullable<HelpDesk['open']> = async ({ subject, text }, account) => {
  const group = settingText(account.config['hand_over_to'])
  if (group === undefined)
    return { is: 'failed', because: 'The setting hand_over_to is missing: Zammad opens tickets in a group.' }
  const me = await beforeSending(() => readFromZammad('/users/me', ZammadUser, account), account)
  if (me.is === 'again') return me
  const ticket = { title: subject, group, customer_id: Number(me.value?.id), article: noteOf(text) }
  return await sendToZammad('POST', '/tickets', ticket, account, false)
}

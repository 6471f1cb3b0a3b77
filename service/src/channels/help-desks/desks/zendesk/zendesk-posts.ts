import type { DeskAct, HelpDesk } from '../../help-desk.ts'
import type { AnswersLately } from '../answers-lately.ts'
import { DESK_TAGS } from '../desk-tags.ts'
import { readFirst } from '../read-first.ts'
import { postWithZendesk, readFromZendesk } from './zendesk-api.ts'
import { ZendeskTicket } from './zendesk-schemas.ts'
import { zendeskSender } from './zendesk-ticket.ts'

/**
 * Zendesk fills in placeholders (`{{ticket.comments}}`, `{% … %}`) in what agents write. No page and no customer may ask for them: what they
 * insert may be internal.
 */
const withoutPlaceholders = (text: string) => text.replaceAll(/\{(?=[{%])/g, '{ ')

/** What an act changes of a ticket, besides its tags. */
function changeOf(act: DeskAct, config: Record<string, unknown>): Record<string, unknown> {
  if (act.do === 'mark') return {}
  const comment = { body: withoutPlaceholders(act.text), public: act.do === 'reply' }
  if (act.do === 'hand_over')
    return { comment, ...(/^\d{1,18}$/.test(act.to) && { group_id: Number(act.to) }) }
  const status = act.do === 'reply' ? config['status_after_answer'] : undefined
  return { comment, ...(typeof status === 'string' && status !== '' && { status }) }
}

/** Opens a ticket of the agent's own. */
export const openZendeskTicket: NonNullable<HelpDesk['open']> = async ({ subject, text }, account) => {
  const ticket = {
    subject: withoutPlaceholders(subject),
    comment: { body: withoutPlaceholders(text), public: false },
    tags: [DESK_TAGS.hand_over],
  }
  const made = await postWithZendesk('POST', '/tickets.json', { ticket }, account, { isRepeatable: false })
  if (made.is !== 'answered') return made
  return made.answer.status < 300
    ? { is: 'posted', ref: undefined }
    : { is: 'failed', because: `Zendesk did not open a ticket (status ${made.answer.status}).` }
}

/** Who takes over and a mark are right whatever happens to the ticket; an answer is for the ticket as it was read. */
const isForWhatWasRead = ({ do: what }: DeskAct) => what === 'reply' || what === 'note'

/** Changes a ticket. An answer is not posted if something happened to the ticket since `etag`: Zendesk refuses it itself (`safe_update`). */
export const postToZendesk =
  (lately: AnswersLately): HelpDesk['post'] =>
  async (id, act, etag, account) => {
    const read = () => readFromZendesk(`/tickets/${id}.json`, ZendeskTicket, account)
    const first = await readFirst('ticket', read, account)
    if (first.is !== 'read') return first
    const { updated_at: stamp, tags, requester_id: customer } = first.value.ticket
    if (isForWhatWasRead(act) && stamp !== etag) return { is: 'stale' }
    const ticket = {
      ...changeOf(act, account.config),
      tags: [...new Set([...(tags ?? []), DESK_TAGS[act.do]])],
      safe_update: true,
      updated_stamp: stamp,
    }
    const posted = await postWithZendesk('PUT', `/tickets/${id}.json`, { ticket }, account, {
      // The same update again is refused as a conflict if the first one arrived.
      isRepeatable: false,
    })
    // Something happened in this moment: the tags and the mark are read again.
    if (posted.is === 'stale' && !isForWhatWasRead(act)) return { is: 'again' }
    if (posted.is !== 'answered') return posted
    if (posted.answer.status >= 300)
      return { is: 'failed', because: `Zendesk did not take an answer (status ${posted.answer.status}).` }
    if (act.do === 'reply') lately.note(zendeskSender(account), customer)
    return { is: 'posted', ref: id }
  }

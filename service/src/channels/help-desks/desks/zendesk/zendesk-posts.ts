import { DeskFailure, type DeskAct, type HelpDesk } from '../../help-desk.ts'
import { postToDesk } from '../desk-http.ts'
import { readFromZendesk, ZENDESK_NAME, ZENDESK_REFUSED, zendeskApi, zendeskHeaders } from './zendesk-api.ts'
import { ZendeskTicket } from './zendesk-schemas.ts'

const MAX_BYTES = 1_048_576

const TAGS: Record<DeskAct['do'], string> = {
  reply: 'citewell-answered',
  note: 'citewell-drafted',
  hand_over: 'citewell-escalated',
  mark: 'citewell-unanswered',
}

/** What an act changes of a ticket, besides its tags. */
function changeOf(act: DeskAct, config: Record<string, unknown>): Record<string, unknown> {
  if (act.do === 'mark') return {}
  const comment = { body: act.text, public: act.do === 'reply' }
  if (act.do === 'hand_over') {
    return { comment, ...(/^\d{1,18}$/.test(act.to) && { group_id: Number(act.to) }) }
  }
  const status = act.do === 'reply' ? config['status_after_answer'] : undefined
  return { comment, ...(typeof status === 'string' && status !== '' && { status }) }
}

/** Changes a ticket, unless something happened to it since `etag`: Zendesk refuses that itself (`safe_update`). */
export const postToZendesk: HelpDesk['post'] = async (id, act, etag, account) => {
  let tags: readonly string[]
  try {
    const read = await readFromZendesk(`/tickets/${id}.json`, ZendeskTicket, account)
    if (read === undefined) return { is: 'failed', because: 'A ticket that was to be answered is gone.' }
    if (read.ticket.updated_at !== etag) return { is: 'stale' }
    tags = read.ticket.tags ?? []
  } catch (failure) {
    if (failure instanceof DeskFailure) return { is: 'again' }
    throw failure
  }
  const posted = await postToDesk(
    {
      url: `${zendeskApi(account.config) ?? 'https://invalid.invalid'}/tickets/${id}.json`,
      method: 'PUT',
      headers: zendeskHeaders(account),
      body: {
        ticket: {
          ...changeOf(act, account.config),
          tags: [...new Set([...tags, TAGS[act.do]])],
          safe_update: true,
          updated_stamp: etag,
        },
      },
      maxBytes: MAX_BYTES,
    },
    account,
    // The same update again is refused as a conflict if the first one arrived.
    { desk: ZENDESK_NAME, refused: ZENDESK_REFUSED, isRepeatable: false },
  )
  if (posted.is !== 'answered') return posted
  return posted.answer.status < 300
    ? { is: 'posted', ref: id }
    : { is: 'failed', because: `Zendesk did not take an answer (status ${posted.answer.status}).` }
}

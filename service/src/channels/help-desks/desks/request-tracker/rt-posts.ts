import type { HelpDesk } from '../../help-desk.ts'
import { postToDesk, type DeskRequest } from '../desk-http.ts'
import { RT, RT_REFUSED, rtApi, rtHeaders, settingOf } from './rt-api.ts'

const MAX_BYTES = 262_144

/**
 * Posts to a ticket. RT knows no condition for a message, only for a change of the ticket: the ticket is opened first, on the condition that
 * nothing has happened to it, and the message follows at once.
 */
export const postToRt: HelpDesk['post'] = async (id, act, etag, account) => {
  const { config } = account
  const ticket = `${rtApi(config) ?? 'https://invalid.invalid'}/ticket/${id}`
  const send = (request: Pick<DeskRequest, 'url' | 'method' | 'headers' | 'body'>, isRepeatable: boolean) =>
    postToDesk({ ...request, maxBytes: MAX_BYTES }, account, { desk: RT, refused: RT_REFUSED, isRepeatable })
  const headers = rtHeaders(account)

  if (act.do === 'mark') return { is: 'posted', ref: undefined }
  if (act.do === 'hand_over') {
    const moved = await send({ url: ticket, method: 'PUT', headers, body: { Queue: act.to } }, true)
    if (moved.is !== 'answered') return moved
    return moved.answer.status < 300
      ? { is: 'posted', ref: undefined }
      : { is: 'failed', because: `Request Tracker did not move a ticket to the queue ${act.to}.` }
  }
  const isUnchanged = await send(
    { url: ticket, method: 'PUT', headers: { ...headers, 'if-match': etag }, body: { Status: 'open' } },
    true,
  )
  if (isUnchanged.is !== 'answered') return isUnchanged
  const status = act.do === 'reply' ? settingOf(config, 'status_after_answer') : undefined
  const posted = await send(
    {
      url: `${ticket}/${act.do === 'reply' ? 'correspond' : 'comment'}`,
      method: 'POST',
      headers,
      body: {
        ContentType: 'text/plain',
        Content: act.text,
        ...(status !== undefined && { Status: status }),
      },
    },
    false,
  )
  if (posted.is !== 'answered') return posted
  if (posted.answer.status >= 300)
    return {
      is: 'failed',
      because: `Request Tracker did not take an answer (status ${posted.answer.status}): its user needs the rights ReplyToTicket, CommentOnTicket and ModifyTicket.`,
    }
  return { is: 'posted', ref: posted.answer.headers.get('location') ?? undefined }
}

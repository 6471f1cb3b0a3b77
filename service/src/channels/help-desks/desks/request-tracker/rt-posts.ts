import { DeskFailure, type DeskAccount, type HelpDesk } from '../../help-desk.ts'
import { postWithRt, readFromRt, settingOf } from './rt-api.ts'
import { RtTicket } from './rt-schemas.ts'

const notTaken = (status: number) => ({
  is: 'failed' as const,
  because: `Request Tracker did not take an answer (status ${status}): its user needs the rights ReplyToTicket, CommentOnTicket and ModifyTicket.`,
})

/** Whether a ticket is still outside a queue after it was moved: RT answers 200 also if it did nothing. */
async function isStillElsewhere(id: string, queue: string, account: DeskAccount): Promise<boolean> {
  try {
    const read = await readFromRt(`/ticket/${id}?fields[Queue]=Name`, RtTicket, account)
    const { id: number, Name } = read?.body.Queue ?? {}
    return number !== undefined && number !== queue && (Name ?? '').toLowerCase() !== queue.toLowerCase()
  } catch (failure) {
    // Whoever may create tickets in a queue need not see them there.
    if (failure instanceof DeskFailure) return false
    throw failure
  }
}

/** Opens a ticket in the queue that the integration handles. */
export const openRtTicket: NonNullable<HelpDesk['open']> = async ({ subject, text }, account) => {
  const queue = settingOf(account.config, 'queue')
  if (queue === undefined)
    return {
      is: 'failed',
      because: 'The setting queue is missing: Request Tracker opens tickets in a queue.',
    }
  const ticket = { Queue: queue, Subject: subject, Content: text, ContentType: 'text/plain' }
  const made = await postWithRt('POST', '/ticket', ticket, account, { isRepeatable: false })
  if (made.is !== 'answered') return made
  return made.answer.status < 300
    ? { is: 'posted', ref: made.answer.headers.get('location') ?? undefined }
    : {
        is: 'failed',
        because: `Request Tracker did not open a ticket in the queue ${queue} (status ${made.answer.status}): its user needs the right CreateTicket.`,
      }
}

/**
 * Posts to a ticket. RT knows no condition for a message, only for a change of the ticket: the ticket is opened first, on the condition that
 * nothing has happened to it, and the message follows at once.
 */
export const postToRt: HelpDesk['post'] = async (id, act, etag, account) => {
  const ticket = `/ticket/${id}`
  if (act.do === 'mark') return { is: 'posted', ref: undefined }
  if (act.do === 'hand_over') {
    const moved = await postWithRt('PUT', ticket, { Queue: act.to }, account, { isRepeatable: true })
    if (moved.is !== 'answered') return moved
    return moved.answer.status < 300 && !(await isStillElsewhere(id, act.to, account))
      ? { is: 'posted', ref: undefined }
      : {
          is: 'failed',
          because: `Request Tracker did not move a ticket to the queue ${act.to}: it must be there, and its user needs the right CreateTicket in it.`,
        }
  }
  const isUnchanged = await postWithRt('PUT', ticket, { Status: 'open' }, account, {
    isRepeatable: true,
    headers: { 'if-match': etag },
  })
  if (isUnchanged.is !== 'answered') return isUnchanged
  // Anything but a yes says nothing about what happened meanwhile.
  if (isUnchanged.answer.status >= 300) return notTaken(isUnchanged.answer.status)
  const status = act.do === 'reply' ? settingOf(account.config, 'status_after_answer') : undefined
  const message = {
    ContentType: 'text/plain',
    Content: act.text,
    ...(status !== undefined && { Status: status }),
  }
  const path = `${ticket}/${act.do === 'reply' ? 'correspond' : 'comment'}`
  const posted = await postWithRt('POST', path, message, account, { isRepeatable: false })
  if (posted.is !== 'answered') return posted
  if (posted.answer.status >= 300) return notTaken(posted.answer.status)
  return { is: 'posted', ref: posted.answer.headers.get('location') ?? undefined }
}

import type { DeskAccount, DeskAct, DeskMessage, HelpDesk } from '../../help-desk.ts'
import { TAKES_OVER } from '../../desk-settings.ts'
import { htmlOfText } from '../html-of-text.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import { intercomTeammate, sendToIntercom } from './intercom-api.ts'
import { readIntercomChat } from './intercom-chat.ts'
import { beforeSending, readFirst } from '../read-first.ts'

type Say = (message_type: 'comment' | 'note', text: string) => Promise<PostOutcome>

/** Gives a conversation to people, and tells both sides. What was done by an earlier attempt is not done twice. */
async function handOver(
  id: string,
  act: DeskAct & { do: 'hand_over' },
  account: DeskAccount,
  { messages, by, say }: { messages: readonly DeskMessage[]; by: object; say: Say },
): Promise<PostOutcome> {
  // A person has it already.
  if (messages.some((message) => message.by === 'team')) return { is: 'posted', ref: undefined }
  const to = /^\d{1,20}$/.test(act.to) ? act.to : '0'
  const assigned = await sendToIntercom(
    'POST',
    `/conversations/${id}/parts`,
    { ...by, message_type: 'assignment', assignee_id: to },
    account,
    true,
  )
  if (assigned.is !== 'posted') return assigned
  const isOurs = (message: DeskMessage) => message.by === 'us' && !message.isInternal
  const isTold = messages.some((message) => isOurs(message) && message.text.trim() === TAKES_OVER)
  // Drafts are for the team alone.
  const told = isTold || account.config['mode'] === 'draft' ? assigned : await say('comment', TAKES_OVER)
  return told.is === 'posted' ? await say('note', act.text) : told
}

/** Posts to a conversation. An answer is not posted if somebody wrote, or anything changed that decides whether it is ours, since `etag`. */
export const postToIntercom: HelpDesk['post'] = async (id, act, etag, account) => {
  // Nothing of a chat has to be marked: a person gets it.
  if (act.do === 'mark') return { is: 'posted', ref: undefined }
  const first = await readFirst('conversation', () => readIntercomChat(id, account), account)
  if (first.is !== 'read') return first
  if (act.do !== 'hand_over' && first.value.etag !== etag) return { is: 'stale' }
  const teammate = await beforeSending(() => intercomTeammate(account), account)
  if (teammate.is === 'again') return teammate
  const { messages } = first.value
  const by = { type: 'admin', admin_id: teammate.value }
  const say: Say = (message_type, text) =>
    sendToIntercom(
      'POST',
      `/conversations/${id}/reply`,
      { ...by, message_type, body: htmlOfText(text) },
      account,
      false,
    )
  return act.do === 'hand_over'
    ? await handOver(id, act, account, { messages, by, say })
    : await say(act.do === 'reply' ? 'comment' : 'note', act.text)
}

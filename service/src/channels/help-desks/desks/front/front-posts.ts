import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import type { AnswersLately } from '../answers-lately.ts'
import { htmlOfText } from '../html-of-text.ts'
import { readFirst } from '../read-first.ts'
import { frontId, isFrontId, sendToFront } from './front-api.ts'
import { frontSender, readFrontThread, type FrontThread } from './front-conversation.ts'

const NO_CHANNEL =
  'The setting channel is missing: Front keeps a draft for a channel, such as cha_123. Set it to that of your mail address.'

const NO_TEAMMATE =
  'The setting teammate is missing, or is no id such as tea_123: Front sends messages in the name of a teammate. Set it to that of the teammate that answers.'

const authorOf = ({ config }: DeskAccount) => ({ author_id: frontId(config, 'teammate', 'tea') })

/** Adds the tag that the owner chose. A conversation that has it keeps it. */
async function tag(
  id: string,
  setting: 'answered_tag' | 'unanswered_tag',
  account: DeskAccount,
): Promise<PostOutcome> {
  const chosen = frontId(account.config, setting, 'tag')
  if (chosen === undefined) return { is: 'posted', ref: undefined }
  return await sendToFront('POST', `/conversations/${id}/tags`, { tag_ids: [chosen] }, account, true)
}

const comment = async (id: string, text: string, account: DeskAccount): Promise<PostOutcome> =>
  await sendToFront(
    'POST',
    `/conversations/${id}/comments`,
    { ...authorOf(account), body: text },
    account,
    false,
  )

/** Gives a conversation to a teammate or another inbox. A second attempt changes it again, to the same. */
async function handOver(
  id: string,
  act: DeskAct & { do: 'hand_over' },
  account: DeskAccount,
): Promise<PostOutcome> {
  let moved: PostOutcome = { is: 'posted', ref: undefined }
  if (isFrontId(act.to, 'tea')) {
    const path = `/conversations/${id}/assignee`
    moved = await sendToFront('PUT', path, { assignee_id: act.to }, account, true)
  } else if (isFrontId(act.to, 'inb'))
    moved = await sendToFront('PATCH', `/conversations/${id}`, { inbox_id: act.to }, account, true)
  return moved.is === 'posted' ? await comment(id, act.text, account) : moved
}

/** Customers get it. Front archives a conversation with its answer unless it is told not to. */
async function reply(id: string, text: string, account: DeskAccount): Promise<PostOutcome> {
  const channel = frontId(account.config, 'channel', 'cha')
  const message = {
    ...authorOf(account),
    ...(channel !== undefined && { channel_id: channel }),
    body: htmlOfText(text),
    text,
    options: { archive: account.config['archive_after_answer'] === 'yes' },
  }
  return await sendToFront('POST', `/conversations/${id}/messages`, message, account, false)
}

/** A person sends it on. */
async function draft(id: string, text: string, account: DeskAccount): Promise<PostOutcome> {
  const channel = frontId(account.config, 'channel', 'cha')
  if (channel === undefined) return { is: 'failed', because: NO_CHANNEL }
  const message = { ...authorOf(account), channel_id: channel, body: htmlOfText(text), mode: 'shared' }
  return await sendToFront('POST', `/conversations/${id}/drafts`, message, account, false)
}

async function say(
  id: string,
  act: DeskAct & { do: 'reply' | 'note' },
  { customer }: FrontThread,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<PostOutcome> {
  // Nothing would tell our messages from those of the team.
  if (frontId(account.config, 'teammate', 'tea') === undefined) return { is: 'failed', because: NO_TEAMMATE }
  if (act.do === 'note') return await draft(id, act.text, account)
  const posted = await reply(id, act.text, account)
  if (posted.is !== 'posted') return posted
  lately.note(frontSender(account), customer)
  // What follows is for views and reports: the answer is there, whatever becomes of it.
  await tag(id, 'answered_tag', account)
  return posted
}

/** Posts to a conversation. An answer or a draft is not posted if somebody wrote, or anything changed that decides whether it is ours, since `etag`. */
export const postToFront =
  (lately: AnswersLately): HelpDesk['post'] =>
  async (id, act, etag, account) => {
    const first = await readFirst('conversation', () => readFrontThread(id, account), account)
    if (first.is !== 'read') return first
    const read = first.value
    if (act.do === 'mark') return await tag(id, 'unanswered_tag', account)
    if (act.do === 'hand_over') return await handOver(id, act, account)
    return read.etag === etag ? await say(id, act, read, account, lately) : { is: 'stale' }
  }

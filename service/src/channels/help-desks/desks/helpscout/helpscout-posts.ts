import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import type { AnswersLately } from '../answers-lately.ts'
import { DESK_TAGS } from '../desk-tags.ts'
import { htmlOfText } from '../html-of-text.ts'
import { readFirst } from '../read-first.ts'
import { isHelpscoutId, type HelpscoutApi } from './helpscout-api.ts'
import { helpscoutSender, readHelpscoutTalk, type HelpscoutTalk } from './helpscout-conversation.ts'

/** Values of the setting. */
const STATUSES: readonly unknown[] = ['active', 'pending', 'closed']

/** How one act is posted to a conversation that was read right before. */
interface Posting {
  api: HelpscoutApi
  id: string
  talk: HelpscoutTalk
  account: DeskAccount
}

/** Adds a tag. Help Scout takes all tags of a conversation at once. */
async function tag({ api, id, talk, account }: Posting, act: DeskAct['do']): Promise<PostOutcome> {
  const tags = (talk.conversation.tags ?? []).map((one) => one.tag)
  if (tags.includes(DESK_TAGS[act])) return { is: 'posted', ref: undefined }
  return await api.send(
    'PUT',
    `/conversations/${id}/tags`,
    { tags: [...tags, DESK_TAGS[act]] },
    account,
    true,
  )
}

/** A thread without a status makes its conversation active; it keeps the one that it has unless the owner chose another. */
async function reply(
  { api, id, talk: { conversation }, account }: Posting,
  { text, isDraft }: { text: string; isDraft: boolean },
): Promise<PostOutcome> {
  const chosen = account.config['status_after_answer']
  const thread = {
    customer: { id: Number(conversation.primaryCustomer?.id) },
    text: htmlOfText(text),
    ...(isDraft
      ? { draft: true, status: conversation.status }
      : {
          status: STATUSES.includes(chosen) ? chosen : conversation.status,
          // Otherwise it would be given to whoever replies, and nobody would find it when its customer writes again.
          assignTo: null,
        }),
  }
  return await api.send('POST', `/conversations/${id}/reply`, thread, account, false)
}

/** Gives a conversation to a user or team. A second attempt changes it again, to the same. */
async function handOver(posting: Posting, act: DeskAct & { do: 'hand_over' }): Promise<PostOutcome> {
  const { api, id, account } = posting
  const to = act.to.trim()
  if (isHelpscoutId(to)) {
    const change = { op: 'replace', path: '/assignTo', value: Number(to) }
    const moved = await api.send('PATCH', `/conversations/${id}`, change, account, true)
    if (moved.is !== 'posted') return moved
  }
  const note = { text: htmlOfText(act.text), status: 'active' }
  const noted = await api.send('POST', `/conversations/${id}/notes`, note, account, false)
  // The tag is for views and reports: the note is there, whatever becomes of it.
  if (noted.is === 'posted') await tag(posting, act.do)
  return noted
}

async function say(
  posting: Posting,
  act: DeskAct & { do: 'reply' | 'note' },
  lately: AnswersLately,
): Promise<PostOutcome> {
  const posted = await reply(posting, { text: act.text, isDraft: act.do === 'note' })
  if (posted.is !== 'posted') return posted
  if (act.do === 'reply') lately.note(helpscoutSender(posting.account), posting.talk.customer)
  await tag(posting, act.do)
  return posted
}

/** Posts to a conversation. An answer or a draft is not posted if somebody wrote, or anything changed that decides whether it is ours, since `etag`. */
export const postToHelpscout =
  (api: HelpscoutApi, lately: AnswersLately): HelpDesk['post'] =>
  async (id, act, etag, account) => {
    const first = await readFirst('conversation', () => readHelpscoutTalk(api, id, account), account)
    if (first.is !== 'read') return first
    const talk = first.value
    const posting = { api, id, talk, account }
    if (act.do === 'mark') return await tag(posting, act.do)
    if (act.do === 'hand_over') return await handOver(posting, act)
    return talk.etag === etag ? await say(posting, act, lately) : { is: 'stale' }
  }

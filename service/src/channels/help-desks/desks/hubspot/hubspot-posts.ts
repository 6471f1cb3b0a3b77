import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import type { AnswersLately } from '../answers-lately.ts'
import { htmlOfText } from '../html-of-text.ts'
import { readFirst } from '../read-first.ts'
import { CONVERSATIONS, hubspotAgent, isAgentId, sendToHubspot } from './hubspot-api.ts'
import { hubspotSender, isByIntegration, readHubspotTalk, type HubspotTalk } from './hubspot-thread.ts'

const NO_SENDER =
  'The setting sender is missing: HubSpot sends messages in the name of a user, such as A-123. Set it to that of the user that answers.'

const messagesOf = (id: string) => `${CONVERSATIONS}/threads/${id}/messages`

/** The team reads it; customers do not. */
const comment = async (id: string, text: string, account: DeskAccount): Promise<PostOutcome> =>
  await sendToHubspot(
    'POST',
    messagesOf(id),
    { type: 'COMMENT', text, richText: htmlOfText(text) },
    account,
    false,
  )

const subjectOf = (subject: string) =>
  subject.toLowerCase().startsWith('re:') ? subject : `Re: ${subject}`.trim()

const readTalk = (id: string, account: DeskAccount) =>
  readFirst('conversation', () => readHubspotTalk(id, account), account)

/** Closes a thread that has its answer, where the owner wants it: not if something was said after the answer, which would be closed with it. */
async function closeAnswered(id: string, { said: before }: HubspotTalk, account: DeskAccount): Promise<void> {
  if (account.config['close_after_answer'] !== 'yes') return
  const next = await readTalk(id, account)
  if (next.is !== 'read') return
  const { said } = next.value
  const last = said.at(-1)
  const isAnswerLast = said.length === before.length + 1 && last !== undefined && isByIntegration(last)
  if (isAnswerLast)
    await sendToHubspot('PATCH', `${CONVERSATIONS}/threads/${id}`, { status: 'CLOSED' }, account, true)
}

/** Goes back the way that the customer's last message came. */
async function reply(
  id: string,
  text: string,
  talk: HubspotTalk,
  account: DeskAccount,
  lately: AnswersLately,
): Promise<PostOutcome> {
  const { lastAsked, customer } = talk
  const sender = hubspotAgent(account.config, 'sender')
  if (sender === undefined) return { is: 'failed', because: NO_SENDER }
  const message = {
    type: 'MESSAGE',
    text,
    richText: htmlOfText(text),
    senderActorId: sender,
    channelId: lastAsked?.channelId,
    channelAccountId: lastAsked?.channelAccountId,
    recipients: [
      { recipientField: 'TO', deliveryIdentifiers: [{ type: 'HS_EMAIL_ADDRESS', value: customer }] },
    ],
    subject: subjectOf(lastAsked?.subject ?? ''),
  }
  const posted = await sendToHubspot('POST', messagesOf(id), message, account, false)
  if (posted.is !== 'posted') return posted
  lately.note(hubspotSender(account), customer)
  // The answer is there, whatever becomes of the status.
  await closeAnswered(id, talk, account)
  return posted
}

/** Gives a thread to a user. A second attempt changes it again, to the same. */
async function handOver(
  id: string,
  act: DeskAct & { do: 'hand_over' },
  account: DeskAccount,
): Promise<PostOutcome> {
  const to = act.to.trim()
  if (isAgentId(to)) {
    // Its path is the other way round, also in HubSpot's own description of version 3.
    const path = `/conversations/conversations/v3/threads/${id}/assignee`
    const moved = await sendToHubspot('PUT', path, { actorId: to }, account, true)
    if (moved.is !== 'posted') return moved
  }
  return await comment(id, act.text, account)
}

/** Posts to a thread. An answer or a draft is not posted if somebody wrote, or anything changed that decides whether it is ours, since `etag`. */
export const postToHubspot =
  (lately: AnswersLately): HelpDesk['post'] =>
  async (id, act, etag, account) => {
    // Threads have no tags: who looks for what is left finds it open, and nobody's.
    if (act.do === 'mark') return { is: 'posted', ref: undefined }
    const first = await readTalk(id, account)
    if (first.is !== 'read') return first
    const talk = first.value
    if (act.do === 'hand_over') return await handOver(id, act, account)
    if (talk.etag !== etag) return { is: 'stale' }
    return act.do === 'note'
      ? await comment(id, act.text, account)
      : await reply(id, act.text, talk, account, lately)
  }

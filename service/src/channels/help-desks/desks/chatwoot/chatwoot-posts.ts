import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import { TAKES_OVER } from '../../desk-settings.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import { readFirst } from '../read-first.ts'
import { isChatwootId, sendToChatwoot } from './chatwoot-api.ts'
import { readChatwootChat, type ChatwootChat } from './chatwoot-chat.ts'

const MAX_TEXT = 20_000

/** Placeholders that Chatwoot would fill in, and links and mentions of Markdown, are taken apart: nothing of a page may become one. */
const asItIs = (text: string) =>
  text
    .slice(0, MAX_TEXT)
    .replaceAll(/\{(?=[{%])/g, '{ ')
    .replaceAll(/\](?=[([])/g, '] ')

const say = async (
  id: string,
  text: string,
  { isInternal }: { isInternal: boolean },
  account: DeskAccount,
): Promise<PostOutcome> =>
  await sendToChatwoot(
    `/conversations/${id}/messages`,
    { content: asItIs(text), message_type: 'outgoing', private: isInternal },
    account,
    false,
  )

/** People see it from then on. */
const openForPeople = async (id: string, account: DeskAccount): Promise<PostOutcome> =>
  await sendToChatwoot(`/conversations/${id}/toggle_status`, { status: 'open' }, account, true)

/** Gives a conversation to people, and tells both sides. What was done by an earlier attempt is not done twice. */
async function handOver(
  id: string,
  act: DeskAct & { do: 'hand_over' },
  { ticket: { messages, isHeldHere }, isMail }: ChatwootChat,
  account: DeskAccount,
): Promise<PostOutcome> {
  if (isHeldHere === true) {
    const to = act.to.trim()
    const path = `/conversations/${id}/assignments`
    if (isChatwootId(to)) {
      const assigned = await sendToChatwoot(path, { team_id: Number(to) }, account, true)
      if (assigned.is !== 'posted') return assigned
    }
    const opened = await openForPeople(id, account)
    if (opened.is !== 'posted') return opened
  }
  // Where a person speaks, nothing more is said.
  if (messages.some(({ by }) => by === 'team')) return { is: 'posted', ref: undefined }
  const isTold = messages.some(({ by, text }) => by === 'us' && text.trim() === TAKES_OVER)
  if (!isTold && !isMail && account.config['mode'] !== 'draft') {
    const told = await say(id, TAKES_OVER, { isInternal: false }, account)
    if (told.is !== 'posted') return told
  }
  return await say(id, act.text, { isInternal: true }, account)
}

/** Leaves a draft, and gives the conversation to people: nobody looks at what the bot has. What was done by an earlier attempt is not done twice. */
async function draft(
  id: string,
  text: string,
  { ticket: { isHeldHere } }: ChatwootChat,
  account: DeskAccount,
): Promise<PostOutcome> {
  if (isHeldHere === true) {
    const opened = await openForPeople(id, account)
    if (opened.is !== 'posted') return opened
  }
  return await say(id, text, { isInternal: true }, account)
}

/** Posts to a conversation. Neither an answer nor a draft is posted if somebody wrote since `etag`, and no answer if people have it. */
export const postToChatwoot: HelpDesk['post'] = async (id, act, etag, account) => {
  // Nothing of a chat has to be marked: a person gets it.
  if (act.do === 'mark') return { is: 'posted', ref: undefined }
  const first = await readFirst('conversation', () => readChatwootChat(id, account), account)
  if (first.is !== 'read') return first
  const chat = first.value
  if (act.do === 'hand_over') return await handOver(id, act, chat, account)
  // An earlier attempt may have opened it.
  if (act.do === 'note')
    return etag.startsWith(chat.said) ? await draft(id, act.text, chat, account) : { is: 'stale' }
  return chat.ticket.etag === etag ? await say(id, act.text, { isInternal: false }, account) : { is: 'stale' }
}

import { joinPieces, splitLines } from '../../../../kernel/pack-text.ts'
import type { PostOutcome } from '../../../platform-posts/platform-posts.ts'
import { settingText, TAKES_OVER } from '../../desk-settings.ts'
import type { DeskAccount, DeskAct, HelpDesk } from '../../help-desk.ts'
import { sendToMessaging } from './messaging-api.ts'
import { readMessagingChat, type MessagingChat } from './messaging-chat.ts'
import { HAND_OVER_MARK, markOfPart } from './messaging-marks.ts'
import { readFirst } from '../read-first.ts'

/** Characters of a message: 4,096 are taken. */
const MAX_TEXT = 4_000

/** The switchboard integration that follows ours. */
const NEXT = 'next'

export const NO_NOTES =
  'Zendesk messaging has no notes, so there are no drafts: set mode to answer or to observe.'

/**
 * Buttons, pictures and templates of the messaging shorthand (`%[Pay](https://…)`, `%((template: x))`) are taken apart: nothing of a page and
 * nothing that a customer wrote may become one.
 */
const withoutShorthand = (text: string) =>
  text.replaceAll(/[!$%](?=\[)/g, '$& ').replaceAll(/%(?=\(\(|\{\{)/g, '% ')

/** Blocks that fit are kept whole. */
const piecesOf = (text: string): string[] =>
  joinPieces(
    withoutShorthand(text)
      .split('\n\n')
      .flatMap((block) => splitLines(block, MAX_TEXT)),
    MAX_TEXT,
  )

const say = async (
  id: string,
  text: string,
  metadata: object,
  account: DeskAccount,
): Promise<PostOutcome> => {
  const name = settingText(account.config['from_name'])
  const author = { type: 'business', ...(name !== undefined && { displayName: name.slice(0, 100) }) }
  const body = { author, content: { type: 'text', text }, metadata }
  return await sendToMessaging('POST', `/conversations/${id}/messages`, body, account, false)
}

/** Posts the parts of an answer that are not there yet: all of it, unless an earlier attempt was stopped in between. */
async function answer(
  id: string,
  { text, etag }: { text: string; etag: string },
  { ticket, isInControl, parts }: MessagingChat,
  account: DeskAccount,
): Promise<PostOutcome> {
  const there = parts.get(etag)
  if (there === undefined && (!isInControl || ticket.etag !== etag)) return { is: 'stale' }
  for (const [at, piece] of piecesOf(text).entries()) {
    if (there?.has(at) === true) continue
    const posted = await say(id, piece, markOfPart({ answers: etag, part: at }), account)
    if (posted.is !== 'posted') return posted
  }
  return { is: 'posted', ref: undefined }
}

/** Gives a conversation to people, and tells the customer. What was done by an earlier attempt is not done twice. */
async function handOver(
  id: string,
  { to, text }: DeskAct & { do: 'hand_over' },
  { ticket, isInControl, isToldOfPeople }: MessagingChat,
  account: DeskAccount,
): Promise<PostOutcome> {
  if (isInControl) {
    const passed = await sendToMessaging(
      'POST',
      `/conversations/${id}/passControl`,
      {
        switchboardIntegration: to === '' ? NEXT : to,
        // The first becomes a tag of the ticket in Zendesk; the other is for programs.
        metadata: { 'dataCapture.systemField.tags': 'citewell-escalated', citewell_reason: text },
      },
      account,
      // Who has the conversation is read before it is passed on again.
      true,
    )
    if (passed.is !== 'posted') return passed
  }
  // Where a person speaks, nothing more is said.
  const isQuiet = isToldOfPeople || ticket.messages.some(({ by }) => by === 'team')
  return isQuiet ? { is: 'posted', ref: undefined } : await say(id, TAKES_OVER, HAND_OVER_MARK, account)
}

/** Posts to a conversation. An answer is not posted if somebody wrote since `etag`, or if somebody else is to speak. */
export const postToMessaging: HelpDesk['post'] = async (id, act, etag, account) => {
  // Nothing of a chat has to be marked: a person gets it.
  if (act.do === 'mark') return { is: 'posted', ref: undefined }
  if (act.do === 'note') return { is: 'failed', because: NO_NOTES }
  const first = await readFirst('conversation', () => readMessagingChat(id, account), account)
  if (first.is !== 'read') return first
  const chat = first.value
  return act.do === 'reply'
    ? await answer(id, { text: act.text, etag }, chat, account)
    : await handOver(id, act, chat, account)
}

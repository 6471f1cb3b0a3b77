import { plainTextOf } from '../../../../platform/markdown/plain-blocks.ts'
import { createMinuteBudget } from '../../../../kernel/minute-budget.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { BotAccount, LiveReply } from '../../chat-platform.ts'
import { wholeWords } from '../../whole-words.ts'
import { escaped } from './escape-text.ts'
import { callSlack, isRefusedBySlack } from './slack-api.ts'

/**
 * Slack allows in a minute, for each method and workspace: 20 starts and ends of streams (tier 2), 100 pieces (tier 4), 50 edits (tier 3).
 * Less is used: each answer is ended by one edit, and other processes may post, too.
 */
const STARTS = createMinuteBudget(15, () => performance.now())
const PIECES = createMinuteBudget(80, () => performance.now())
const EDITS = createMinuteBudget(15, () => performance.now())
const EVERY_MS = { stream: 1_000, edits: 3_000 }
/** Of a piece; what is longer is shown when it is finished. */
const MAX_TEXT = 11_000
const MAX_EDITED = 2_900

/** Before a finished answer replaces it, nothing in it may call anybody: a mention begins with `<` and one of these. */
const withoutMentions = (text: string) => text.replaceAll(/<(?=[@!#])/g, '<\u200B')

/** Shows an answer by a stream, or, where Slack has none, by edits of a message. */
export function showLiveInSlack(place: ReplyPlace, account: BotAccount): LiveReply {
  const { channel = '', thread_ts: thread = '', user, team } = place
  const token = account.credentials['bot_token'] ?? ''
  let ts = ''
  let isStream = false
  let sent = ''

  async function begin(): Promise<string | undefined> {
    if (!STARTS.take(token)) return undefined
    if (user !== undefined && team !== undefined) {
      const recipient = { recipient_team_id: team, recipient_user_id: user }
      const stream = await callSlack(
        'chat.startStream',
        { channel, thread_ts: thread, ...recipient },
        account,
      )
      isStream = stream.body?.ok === true
      if (isStream) ts = stream.body?.ts ?? ''
      else if (!isRefusedBySlack(stream)) return undefined
    }
    if (isStream) return ts === '' ? undefined : ts
    const quietly = { text: '…', mrkdwn: false, parse: 'none', unfurl_links: false, unfurl_media: false }
    const post = { channel, thread_ts: thread, ...quietly, blocks: [] }
    const { body } = await callSlack('chat.postMessage', post, account)
    ts = body?.ok === true ? (body.ts ?? '') : ''
    live.everyMs = EVERY_MS.edits
    return ts === '' ? undefined : ts
  }

  async function append(text: string, unneeded: AbortSignal): Promise<boolean> {
    // Slack drops white space that a piece begins with.
    const safe = wholeWords(withoutMentions(text))
    const piece = safe.slice(sent.length)
    if (safe.length > MAX_TEXT) return false
    // White space alone waits for words: Slack would show nothing of it.
    if (piece.trim() === '' || !PIECES.take(token)) return true
    const signal = AbortSignal.any([account.signal, unneeded])
    const said = { channel, ts, markdown_text: piece }
    const { body } = await callSlack('chat.appendStream', said, { ...account, signal })
    sent = safe
    return body?.ok === true
  }

  /** Not ended early: an edit that arrives late would replace the answer. */
  async function edit(text: string): Promise<boolean> {
    if (text.length > MAX_EDITED) return false
    if (!EDITS.take(token)) return true
    const { body } = await callSlack(
      'chat.update',
      { channel, ts, text: `${escaped(plainTextOf(text))} …`, parse: 'none', blocks: [] },
      account,
    )
    return body?.ok === true
  }

  const live: LiveReply = {
    everyMs: EVERY_MS.stream,
    begin,
    show: (text, unneeded) => (isStream ? append(text, unneeded) : edit(text)),
  }
  return live
}

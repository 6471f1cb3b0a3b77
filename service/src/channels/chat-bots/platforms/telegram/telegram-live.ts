import type { ReplyPlace } from '../../chat-incoming.ts'
import type { BotAccount, LiveReply } from '../../chat-platform.ts'
import { wholeWords } from '../../whole-words.ts'
import { takesLiveEdit, takesMessage } from './group-pace.ts'
import { MessageId } from './post-telegram.ts'
import { newMessageFields } from './render-telegram.ts'
import { callTelegram, isRefused, isTaken, waitMs, type TelegramAnswer } from './telegram-api.ts'
import { unmentioned } from './telegram-text.ts'

const EVERY_MS = { draft: 1_000, edits: 3_000 }
/** Of what is shown; what is longer is shown when it is finished. */
const MAX_TEXT = 3_900
/** If Telegram asks for a longer pause, nothing more is shown. */
const LONGEST_PAUSE_MS = 10_000
const BEGINNING = 'Writing an answer…'

const wordsSoFar = (text: string): string => unmentioned(wholeWords(text)).trim()

/**
 * Shows an answer in a chat with the bot alone by a draft, which Telegram takes away by itself when the message comes or half a minute has
 * gone by; in groups, and where there are no drafts, by edits of a message.
 */
export function showLiveInTelegram(place: ReplyPlace, account: BotAccount): LiveReply {
  const { chat_id = '', message_id: question = '1', chat, thread } = place
  let isDraft = chat === 'private'
  let messageId = 0

  const draft = (text: string) =>
    callTelegram(
      'sendMessageDraft',
      {
        chat_id: Number(chat_id),
        // Not zero, and another one for each question of the chat.
        draft_id: Number(question),
        text,
        ...(thread !== undefined && { message_thread_id: Number(thread) }),
      },
      account,
    )

  async function begin(): Promise<string | undefined> {
    if (isDraft) {
      const begun = await draft(BEGINNING)
      // Nothing of it stays.
      if (isTaken(begun)) return ''
      if (!isRefused(begun)) return undefined
      isDraft = false
    }
    if (!takesMessage(chat_id, account)) return undefined
    live.everyMs = EVERY_MS.edits
    const fields = { chat_id, text: '…', ...newMessageFields(place) }
    const { body } = await callTelegram('sendMessage', fields, account)
    messageId = MessageId.safeParse(body?.result).data?.message_id ?? 0
    return messageId === 0 ? undefined : String(messageId)
  }

  /** Whether more may be shown, and when. */
  function goesOn(answer: TelegramAnswer): boolean {
    if (answer.status !== 429) return isTaken(answer)
    live.everyMs = Math.max(live.everyMs, waitMs(answer))
    return live.everyMs <= LONGEST_PAUSE_MS
  }

  // Not ended early: what arrives late would be seen beside the answer, or in its place.
  const live: LiveReply = {
    everyMs: EVERY_MS.draft,
    begin,
    show: async (written) => {
      const text = wordsSoFar(written)
      if (text.length > MAX_TEXT) return false
      if (text === '') return true
      if (isDraft) return goesOn(await draft(text))
      if (!takesLiveEdit(chat_id, account)) return true
      const link_preview_options = { is_disabled: true }
      const fields = { chat_id, message_id: messageId, text: `${text} …`, link_preview_options }
      return goesOn(await callTelegram('editMessageText', fields, account))
    },
  }
  return live
}

import { createMinuteBudget } from '../../../../kernel/minute-budget.ts'
import { plainTextOf } from '../../../../platform/markdown/plain-blocks.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { BotAccount, LiveReply } from '../../chat-platform.ts'
import type { KeptTokens } from '../../kept-tokens.ts'
import { wholeWords } from '../../whole-words.ts'
import { callGoogleChat } from './google-chat-api.ts'
import { createCall, editCall, nameOfPosted } from './post-google-chat.ts'
import { requestIdOf, withoutTags } from './render-google-chat.ts'

/** Google Chat takes one write a second in a space, of all apps together: edits are a part of it. */
const EDITS = createMinuteBudget(15, () => performance.now())
const EVERY_MS = 3_000
/** Of what is shown; what is longer is shown when it is finished. */
const MAX_TEXT = 3_900

/** Without its Markdown: half of a pair of signs would be shown as it is. */
const wordsSoFar = (text: string): string => withoutTags(plainTextOf(wholeWords(text))).trim()

const messageOf = (text: string) => ({ text, markupSyntax: 'MARKUP_SYNTAX_MARKDOWN', accessoryWidgets: [] })

/** Shows an answer by edits of a message, which becomes it. */
export function showLiveInGoogleChat(
  { space = '', thread, asked = '' }: ReplyPlace,
  account: BotAccount,
  tokens: KeptTokens,
): LiveReply {
  let name = ''
  return {
    everyMs: EVERY_MS,
    begin: async () => {
      if (!EDITS.take(space)) return undefined
      const post = { space, thread, request_id: requestIdOf(space, asked, 'live'), message: messageOf('…') }
      name = nameOfPosted(await callGoogleChat(createCall(post), account, tokens)) ?? ''
      return name === '' ? undefined : name
    },
    // Not ended early: an edit that arrives late would replace the answer.
    show: async (written) => {
      const text = wordsSoFar(written)
      if (text.length > MAX_TEXT) return false
      if (text === '' || !EDITS.take(space)) return true
      const { status } = await callGoogleChat(editCall(name, messageOf(`${text} …`)), account, tokens)
      return status === 200 || status === 429
    },
  }
}

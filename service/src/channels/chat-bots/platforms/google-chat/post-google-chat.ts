import { z } from 'zod'
import type { JsonAnswer } from '../../../../platform/outbound/request-json.ts'
import { outcomeOfFault, retryAfterMs, type PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { BotAccount } from '../../chat-platform.ts'
import { NoToken, type KeptTokens } from '../../kept-tokens.ts'
import { callGoogleChat, refusalIn, type GoogleChatCall } from './google-chat-api.ts'

const Post = z.object({
  space: z.string().max(200),
  thread: z.string().max(500).optional(),
  request_id: z.string().min(1).max(100),
  message: z.record(z.string(), z.unknown()),
  /** The message that showed the answer while it was written, and becomes it. */
  edits: z.string().max(500).optional(),
})

type Post = z.infer<typeof Post>

const Created = z.looseObject({ name: z.string().max(500) })

/** What Google calls a message that it took. */
export const nameOfPosted = ({ status, body }: Pick<JsonAnswer, 'status' | 'body'>) =>
  status === 200 ? Created.safeParse(body).data?.name : undefined

export const createCall = ({ space, thread, request_id, message }: Omit<Post, 'edits'>): GoogleChatCall => ({
  method: 'POST',
  path: `${space}/messages`,
  query: {
    requestId: request_id,
    // Without it a message with a thread begins a new one.
    ...(thread !== undefined && { messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' }),
  },
  body: { ...message, ...(thread !== undefined && { thread: { name: thread } }) },
})

export const editCall = (name: string, message: Post['message']): GoogleChatCall => ({
  method: 'PATCH',
  path: name,
  query: { updateMask: 'text,accessoryWidgets' },
  body: message,
})

const WHERE = 'Google Chat does not let the bot post where it was asked'

function problemOf(answer: JsonAnswer): string {
  const { status } = answer
  const { status: code, message } = refusalIn(answer)
  if (status === 401)
    return 'Google does not accept the token of the service account. Check that it is of the project of the Chat app.'
  if (/has not been used|is disabled|SERVICE_DISABLED/.test(message))
    return 'The Google Chat API is off in the project of the service account: Google Cloud console, APIs & Services, Enable APIs.'
  if (status === 403 || status === 404)
    return `${WHERE} (${status}): it was removed from the space, or the space was deleted. Add the app to the space again; the service account has to be of the project of the Chat app.`
  return `Google Chat refused an answer (${/^[A-Z_]{1,50}$/.test(code) ? code : `HTTP ${status}`}).`
}

/** Google does not say how long to wait; its limit is of a second. */
const WAIT_MS = 2_000

/** Every request may be repeated: a new message has an id of ours, for which Google posts once; an edit is the same when it is made again. */
function outcomeOf(answer: JsonAnswer): PostOutcome {
  const { status, headers } = answer
  if (status === 200) return { is: 'posted', ref: nameOfPosted(answer) }
  if (status === 429)
    return { is: 'wait', ms: headers.has('retry-after') ? retryAfterMs(headers, Date.now()) : WAIT_MS }
  if (status >= 500) return { is: 'again' }
  return { is: 'failed', because: problemOf(answer) }
}

/** Posts a message, or makes it of one that was shown live; everything that Google or the network does is an outcome. */
export async function postToGoogleChat(
  body: unknown,
  account: BotAccount,
  tokens: KeptTokens,
): Promise<PostOutcome> {
  const { edits, ...post } = Post.parse(body)
  try {
    const call = edits === undefined ? createCall(post) : editCall(edits, post.message)
    const answer = await callGoogleChat(call, account, tokens)
    // Somebody deleted what was shown.
    if (edits !== undefined && answer.status === 404) return { is: 'instead', body: post }
    return outcomeOf(answer)
  } catch (fault) {
    if (fault instanceof NoToken) return fault.outcome()
    return outcomeOfFault(fault, { platform: 'Google Chat', isRepeatable: true })
  }
}

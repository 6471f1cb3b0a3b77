import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { JsonAnswer } from '../../../../platform/outbound/request-json.ts'
import { outcomeOfFault, retryAfterMs, type PostOutcome } from '../../../platform-posts/platform-posts.ts'
import type { ReplyPlace } from '../../chat-incoming.ts'
import type { BotAccount, Draft, LiveReply } from '../../chat-platform.ts'
import { NoToken, type KeptTokens } from '../../kept-tokens.ts'
import { wholeWords } from '../../whole-words.ts'
import { teamsRef } from './read-teams.ts'
import { callTeams, idOfPosted } from './teams-api.ts'

/** Teams takes one request a second of a stream, and advises to wait 1.5 to 2 seconds for words. */
const LEAST_BETWEEN_MS = 1_000
const EVERY_MS = { stream: 1_500, edits: 3_000 }
/** Teams ends a stream two minutes after its first request. */
const STREAM_LASTS_MS = 105_000
/** Of a piece; what is longer is shown when it is finished. */
const MAX_TEXT = 8_000
const BEGINNING = 'Writing an answer…'

/** What is shown live: a stream, or a message that is edited. */
const Live = z.object({
  is: z.enum(['stream', 'message']),
  id: z.string().min(1).max(500),
  /** All that may be seen of a stream; undefined if another process showed it. */
  shown: z.string().optional(),
})

const EndOfLive = z.object({
  service_url: z.string().max(2_000),
  conversation: z.string().min(1).max(500),
  reply_to: z.string().max(500).optional(),
  activity: z.looseObject({ text: z.string(), entities: z.array(z.unknown()).optional() }),
  live: Live,
})

type EndOfLive = z.infer<typeof EndOfLive>

const Refused = z.looseObject({ error: z.looseObject({ message: z.string().max(2_000).catch('') }) })

/** Whether a post makes an answer of a message that was shown live: that may be repeated. */
export const isEndOfLive = (body: unknown): body is EndOfLive => EndOfLive.safeParse(body).success

/** One of the posts of an answer, in the place of what was shown. */
export function inPlaceInTeams(body: unknown, { ref, shown }: Draft): unknown {
  const [is = '', id] = ref.split(/:(.*)/s)
  const live = Live.safeParse({ is, id, shown }).data
  return live === undefined ? body : { ...(body as object), live }
}

/** Nothing that is shown before the answer may be a tag. */
const wordsSoFar = (text: string): string => wholeWords(text).replaceAll('<', '<\u200B').trimEnd()

const streamInfo = (fields: { streamType: string; streamSequence?: number; streamId?: string }) => ({
  type: 'streaminfo',
  ...fields,
})

const isRefused = ({ status }: JsonAnswer) => status >= 400 && status < 500 && status !== 429
const isTaken = ({ status }: JsonAnswer) => status >= 200 && status < 300

/** Shows an answer by a stream, which Teams has in chats with the bot alone, elsewhere by edits of a message. */
export function showLiveInTeams(place: ReplyPlace, account: BotAccount, tokens: KeptTokens): LiveReply {
  const { service_url = '', conversation = '', reply_to, chat } = place
  let isStream = chat === 'personal'
  let id = ''
  let sequence = 0
  let shown = ''
  let begunAt = 0
  let lastAt = 0

  const call = (method: 'POST' | 'PUT', body: Record<string, unknown>, activity?: string) =>
    callTeams({ method, service_url, conversation, activity, body }, account, tokens)

  /** The next request of the stream. One that Teams throttled has not taken its number. */
  async function stream(streamType: 'informative' | 'streaming', text: string): Promise<JsonAnswer> {
    const info = streamInfo({ streamType, streamSequence: sequence + 1, ...(id !== '' && { streamId: id }) })
    try {
      const answer = await call('POST', { type: 'typing', text, entities: [info] })
      if (answer.status !== 429) sequence += 1
      return answer
    } finally {
      // After it: a token may have been fetched before, and Teams counts from when the request arrived.
      lastAt = performance.now()
    }
  }

  async function begin(): Promise<string | undefined> {
    begunAt = performance.now()
    if (isStream) {
      const begun = await stream('informative', BEGINNING)
      isStream = !isRefused(begun)
      if (isStream && !isTaken(begun)) return undefined
      id = idOfPosted(begun) ?? ''
      if (isStream) return id === '' ? undefined : `stream:${id}`
    }
    const replyTo = reply_to === '' ? undefined : reply_to
    const said = { type: 'message', textFormat: 'markdown', text: '…' }
    const posted = await call(
      'POST',
      { ...said, ...(replyTo !== undefined && { replyToId: replyTo }) },
      replyTo,
    )
    id = isTaken(posted) ? (idOfPosted(posted) ?? '') : ''
    live.everyMs = EVERY_MS.edits
    return id === '' ? undefined : `message:${id}`
  }

  /** Not ended early: a piece that arrives late belongs to what the answer must contain. */
  async function append(text: string, unneeded: AbortSignal): Promise<boolean> {
    if (performance.now() - begunAt > STREAM_LASTS_MS) return false
    if (text === shown) return true
    await sleep(Math.max(0, lastAt + LEAST_BETWEEN_MS - performance.now()), undefined, { signal: unneeded })
    shown = text
    const answer = await stream('streaming', text)
    // The next piece contains this one.
    return isTaken(answer) || answer.status === 429
  }

  async function edit(text: string): Promise<boolean> {
    const answer = await call('PUT', { type: 'message', textFormat: 'markdown', text: `${text} …` }, id)
    return isTaken(answer) || answer.status === 429
  }

  const live: LiveReply = {
    everyMs: EVERY_MS.stream,
    begin,
    show: async (written, unneeded) => {
      const text = wordsSoFar(written)
      if (text.length > MAX_TEXT) return false
      if (text === '') return true
      return isStream ? await append(text, unneeded) : await edit(text)
    },
    shown: () => shown,
  }
  return live
}

/** Undefined: it is refused, and always will be. */
function endOf(answer: JsonAnswer, { conversation, live }: EndOfLive): PostOutcome | undefined {
  if (isTaken(answer)) return { is: 'posted', ref: teamsRef(conversation, live.id) }
  if (answer.status === 429 || answer.status === 412)
    return { is: 'wait', ms: retryAfterMs(answer.headers, Date.now()) }
  return answer.status >= 500 ? { is: 'again' } : undefined
}

/**
 * Makes the answer of what was shown live: each request may be repeated. The last message of a stream must begin with what the stream has
 * shown. If the answer does not, the stream ends with what it has shown, which the answer then replaces by an edit.
 */
export async function endLiveInTeams(
  given: EndOfLive,
  account: BotAccount,
  tokens: KeptTokens,
): Promise<PostOutcome> {
  const { live: _, ...post } = EndOfLive.parse(given)
  try {
    return (await inPlace(given, account, tokens)) ?? { is: 'instead', body: post }
  } catch (fault) {
    if (fault instanceof NoToken) return fault.outcome()
    return outcomeOfFault(fault, { platform: 'Microsoft Teams', isRepeatable: true })
  }
}

/** Undefined if the answer has to be a message of its own. */
async function inPlace(
  given: EndOfLive,
  account: BotAccount,
  tokens: KeptTokens,
): Promise<PostOutcome | undefined> {
  const { service_url, conversation, activity, live } = given
  const call = (method: 'POST' | 'PUT', body: Record<string, unknown>, of?: string) =>
    callTeams({ method, service_url, conversation, activity: of, body }, account, tokens)
  if (live.is === 'stream') {
    const { shown = '' } = live
    const isWhole = activity.text.startsWith(shown)
    const last = isWhole ? activity : { type: 'message', textFormat: 'markdown', text: shown, entities: [] }
    const final = streamInfo({ streamType: 'final', streamId: live.id })
    const ended = await call('POST', { ...last, entities: [...(last.entities ?? []), final] })
    const outcome = endOf(ended, given)
    if (outcome !== undefined && (isWhole || outcome.is !== 'posted')) return outcome
    const refusal = Refused.safeParse(ended.body).data?.error.message ?? ''
    // Teams ends it by itself; what others see of an edit before is not known.
    if (refusal.includes('previously streamed content')) return undefined
    // Who asked has pressed Stop: it stays as it is.
    if (refusal.includes('canceled by user')) return { is: 'posted', ref: teamsRef(conversation, live.id) }
  }
  return endOf(await call('PUT', activity, live.id), given)
}

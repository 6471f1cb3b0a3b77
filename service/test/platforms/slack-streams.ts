import { createMinuteBudget } from '../../src/kernel/minute-budget.ts'
import { z } from 'zod'
import { faultInMessage, type SlackMessage, type SlackPost } from './slack-message-rules.ts'

/** A message that is shown while it is written. */
export interface LiveMessage {
  channel: string
  thread: string
  recipient: { team: string; user: string }
  /** What people have seen of it, each time it changed. */
  seen: string[]
  isStreaming: boolean
}

/** How often a method may be called in a minute: what Slack's tiers allow. */
const TIERS: Record<string, number> = {
  'chat.startStream': 20,
  'chat.stopStream': 20,
  'chat.appendStream': 100,
  'chat.update': 50,
}

type Body = Record<string, unknown>

/** What a call did: it was refused, has to wait, or made or changed the message with this ts. */
interface Outcome {
  refused?: object
  retryAfter?: string
  ts?: string
}

const Start = z.object({
  channel: z.string(),
  thread_ts: z.string().min(1),
  recipient_team_id: z.string().min(1),
  recipient_user_id: z.string().min(1),
})

const Piece = z.object({ markdown_text: z.string().min(1).max(12_000) })

/** Streams and edits of messages, as strict as Slack. */
export function createSlackStreams(given: {
  newTs: () => string
  isMember: (channel: string) => boolean
  find: (ts: string) => SlackPost | undefined
  show: (post: SlackPost) => void
}) {
  const { newTs, isMember, find, show } = given
  const live = new Map<string, LiveMessage>()
  const budgets = new Map(
    Object.entries(TIERS).map(([method, most]) => [
      method,
      createMinuteBudget(most, () => performance.now()),
    ]),
  )
  const refuse = (error: string): Outcome => ({ refused: { ok: false, error } })

  function start(body: Body): Outcome {
    const asked = Start.safeParse(body)
    if (!asked.success) return refuse(`missing_${String(asked.error.issues[0]?.path[0])}`)
    const { channel, thread_ts: thread, recipient_team_id: team, recipient_user_id: user } = asked.data
    if (!isMember(channel)) return refuse('not_in_channel')
    const ts = newTs()
    live.set(ts, { channel, thread, recipient: { team, user }, seen: [], isStreaming: true })
    return { ts }
  }

  function inStream(body: Body, change: (message: LiveMessage) => Outcome | undefined): Outcome {
    const ts = String(body['ts'])
    const message = live.get(ts)
    if (message === undefined || message.channel !== body['channel']) return refuse('message_not_found')
    if (!message.isStreaming) return refuse('message_not_in_streaming_state')
    return change(message) ?? { ts }
  }

  const append = (body: Body) =>
    inStream(body, (message) => {
      const piece = Piece.safeParse(body).data?.markdown_text
      if (piece === undefined) return refuse('msg_too_long')
      message.seen.push((message.seen.at(-1) ?? '') + piece)
      return undefined
    })

  const stop = (body: Body) =>
    inStream(body, (message) => {
      message.isStreaming = false
      return undefined
    })

  function update(body: Body): Outcome {
    const ts = String(body['ts'])
    const stream = live.get(ts)
    const before = find(ts)
    if (stream === undefined && before === undefined) return refuse('message_not_found')
    if (stream?.isStreaming === true) return refuse('streaming_state_conflict')
    const quiet = { unfurl_links: false, unfurl_media: false } as const
    const message = { ...quiet, ...body, thread_ts: stream?.thread ?? before?.thread_ts } as SlackMessage
    const fault = faultInMessage(message)
    if (fault !== undefined) return refuse(fault.error)
    show({ ...message, ts, at: performance.now() })
    return { ts }
  }

  const methods: Record<string, ((body: Body) => Outcome) | undefined> = {
    'chat.startStream': start,
    'chat.appendStream': append,
    'chat.stopStream': stop,
    'chat.update': update,
  }

  return {
    live,
    has: (method: string): boolean => methods[method] !== undefined,
    call: (method: string, body: Body): Outcome =>
      budgets.get(method)?.take('workspace') === true
        ? (methods[method]?.(body) ?? refuse('unknown_method'))
        : { retryAfter: '10' },
  }
}

import { z } from 'zod'
import type { StandInAnswer } from '../connectors/stand-in-server.ts'

export interface TeamsStream {
  id: string
  conversation: string
  /** The text of each informative update. */
  informed: string[]
  /** What people have seen of the answer, each time it changed. */
  seen: string[]
  /** `performance.now()` of each request. */
  at: number[]
  sequence: number
  isOver: boolean
}

const Piece = z.strictObject({
  type: z.literal('typing'),
  text: z.string().min(1).max(14_000),
  entities: z.tuple([
    z.strictObject({
      type: z.literal('streaminfo'),
      streamType: z.enum(['informative', 'streaming']),
      streamSequence: z.int().min(1),
      streamId: z.string().optional(),
    }),
  ]),
})

/** Of the last message: it has no sequence. */
const Final = z.strictObject({
  type: z.literal('streaminfo'),
  streamType: z.literal('final'),
  streamId: z.string(),
})

const Message = z.looseObject({
  type: z.literal('message'),
  text: z.string(),
  entities: z.array(z.unknown()),
})

const WithStream = z.looseObject({
  entities: z
    .array(z.unknown())
    .refine((all) =>
      all.some((one) => z.looseObject({ type: z.literal('streaminfo') }).safeParse(one).success),
    ),
})

/** Teams throttles a stream with more than a request a second. */
const LEAST_BETWEEN_MS = 950
const MOST_INFORMATIVE = 1_000

export const refusedByTeams = (status: number, code: string, message: string): StandInAnswer => ({
  status,
  body: { error: { code, message } },
})

const notAllowed = (message: string) => refusedByTeams(403, 'ContentStreamNotAllowed', message)

/** What a request about a stream did: its answer, and the message that ends it. */
interface Taken {
  answer: StandInAnswer
  final?: { id: string; body: unknown }
}

export interface TeamsStreams {
  all: TeamsStream[]
  /** Where the tenant allows them. */
  areAllowed: boolean
  /** Two minutes, there. */
  lastMs: number
  /** Who asked presses Stop. */
  stop(): void
  isOver(id: string): boolean
  /** Undefined if a request is about no stream. */
  take(conversation: string, body: unknown): Taken | undefined
  taken(conversation: string, body: unknown): Taken
  reset(): void
}

/** Streams of Teams, by its documentation and what others were refused: one at a time, in chats with the bot alone, each piece longer. */
export function createTeamsStreams(newId: () => string): TeamsStreams {
  const all: TeamsStream[] = []
  const stopped = new Set<TeamsStream>()

  /** Why it takes nothing more. */
  function endOf(stream: TeamsStream): StandInAnswer | undefined {
    if (stopped.has(stream)) return notAllowed('Content stream was canceled by user.')
    if (stream.isOver)
      return notAllowed('Content stream is not allowed on an already completed streamed message')
    const now = performance.now()
    return now - (stream.at[0] ?? now) > streams.lastMs
      ? notAllowed('Content stream finished due to exceeded streaming time.')
      : undefined
  }

  const isLive = (stream: TeamsStream) => endOf(stream) === undefined

  function begin(conversation: string): TeamsStream | StandInAnswer {
    if (!streams.areAllowed || !conversation.startsWith('a:'))
      return notAllowed('Content stream is not allowed')
    if (all.some((one) => one.conversation === conversation && isLive(one)))
      return notAllowed('Another content stream is in progress')
    const begun = { id: newId(), conversation, informed: [], seen: [], at: [], sequence: 0, isOver: false }
    all.push(begun)
    return begun
  }

  function faultInPiece(
    stream: TeamsStream,
    text: string,
    { streamType, streamSequence: sequence }: z.infer<typeof Piece>['entities'][0],
  ): StandInAnswer | undefined {
    if (sequence !== stream.sequence + 1) return refusedByTeams(400, 'BadRequest', 'streamSequence')
    if (performance.now() - (stream.at.at(-1) ?? -Infinity) < LEAST_BETWEEN_MS)
      return {
        status: 429,
        headers: { 'retry-after': '1' },
        body: { error: { message: 'API calls quota exceeded' } },
      }
    if (streamType === 'informative' && (stream.seen.length > 0 || text.length > MOST_INFORMATIVE))
      return refusedByTeams(400, 'BadRequest', 'informative')
    if (streamType === 'streaming' && !text.startsWith(stream.seen.at(-1) ?? ''))
      return notAllowed('Request streamed content should contain the previously streamed content')
    return undefined
  }

  function takePiece(conversation: string, { text, entities }: z.infer<typeof Piece>): StandInAnswer {
    const [{ streamType, streamSequence: sequence, streamId }] = entities
    const stream = streamId === undefined ? begin(conversation) : all.find(({ id }) => id === streamId)
    if (stream === undefined) return refusedByTeams(400, 'BadRequest', 'no such stream')
    if ('body' in stream) return stream
    const over = endOf(stream)
    if (over !== undefined) return over
    const fault = faultInPiece(stream, text, entities[0])
    if (fault !== undefined) return fault
    stream.sequence = sequence
    stream.at.push(performance.now())
    stream[streamType === 'informative' ? 'informed' : 'seen'].push(text)
    return streamId === undefined ? { status: 201, body: { id: stream.id } } : { status: 202, body: {} }
  }

  function takeFinal(conversation: string, body: z.infer<typeof Message>): Taken {
    const [info, ...more] = body.entities.filter((one) => Final.safeParse(one).success)
    const id = Final.safeParse(info).data?.streamId
    const stream = all.find((one) => one.id === id && one.conversation === conversation)
    if (stream === undefined || more.length > 0)
      return {
        answer: refusedByTeams(400, 'BadRequest', 'Only end streaming type is allowed as a message activity'),
      }
    const over = endOf(stream)
    if (over !== undefined) return { answer: over }
    if (!body.text.startsWith(stream.seen.at(-1) ?? ''))
      return {
        answer: notAllowed('Request streamed content should contain the previously streamed content'),
      }
    stream.isOver = true
    const entities = body.entities.filter((one) => one !== info)
    const { entities: _, ...message } = body
    return {
      answer: { status: 202, body: {} },
      final: { id: stream.id, body: { ...message, ...(entities.length > 0 && { entities }) } },
    }
  }

  function taken(conversation: string, body: unknown): Taken {
    const message = Message.safeParse(body)
    if (message.success) return takeFinal(conversation, message.data)
    const piece = Piece.safeParse(body)
    return {
      answer: piece.success
        ? takePiece(conversation, piece.data)
        : refusedByTeams(400, 'BadRequest', piece.error.message),
    }
  }

  const streams: TeamsStreams = {
    all,
    areAllowed: true,
    lastMs: 120_000,
    stop: () => {
      for (const stream of all) if (isLive(stream)) stopped.add(stream)
    },
    isOver: (id) => all.some((stream) => stream.id === id && !isLive(stream)),
    taken,
    take: (conversation, body) =>
      WithStream.safeParse(body).success ? taken(conversation, body) : undefined,
    reset: () => {
      all.length = 0
      stopped.clear()
      Object.assign(streams, { areAllowed: true, lastMs: 120_000 })
    },
  }
  return streams
}

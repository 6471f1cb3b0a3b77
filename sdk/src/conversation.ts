import type { Answer } from './answer.ts'
import type { AnswerDone } from './answer-frames.ts'
import { CitewellError } from './citewell-error.ts'
import type { AskOptions, Client } from './client.ts'
import type { Citation } from './records.ts'

/** One question of a conversation, and its answer as far as it is written. */
export interface Turn {
  /** Unique within the conversation. */
  id: number
  question: string
  /** The answer so far, or all of it. */
  text: string
  /** While it is written: the pages that were found. Then: what it cites. */
  citations: Citation[]
  status: 'submitted' | 'streaming' | 'done' | 'stopped' | 'error'
  /** False when the knowledge base does not cover the question. Undefined before the end. */
  covered?: boolean | undefined
  confidence?: number | undefined
  /** For rating. Missing under zero data retention. */
  messageId?: string | undefined
  rating?: 'up' | 'down' | undefined
  error?: CitewellError | undefined
}

/** What a conversation shows. A new object after each change. */
export interface ConversationState {
  turns: readonly Turn[]
  /** In the words of the AI SDK. */
  status: 'ready' | 'submitted' | 'streaming' | 'error'
  /** For continuing the conversation later. */
  threadId: string | undefined
}

/** Options of a conversation. */
export interface ConversationOptions extends Omit<AskOptions, 'signal'> {
  onAnswer?: ((done: AnswerDone) => void) | undefined
  onError?: ((error: CitewellError) => void) | undefined
}

/** A screen draws at most this often; where nothing draws, so does this. */
const FRAME_MS = 16

const nextFrame = (draw: () => void): (() => void) => {
  if (typeof requestAnimationFrame === 'function') {
    const frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  }
  const timer = setTimeout(draw, FRAME_MS)
  return () => clearTimeout(timer)
}

const asError = (error: unknown): CitewellError =>
  error instanceof CitewellError
    ? error
    : new CitewellError(error instanceof Error ? error.message : 'Something went wrong here.', {
        code: 'INTERNAL',
        errorCode: 'internal',
        cause: error,
      })

/** A conversation as a store: `useAsk` reads it, and any other interface can. */
export function createConversation(
  client: Pick<Client, 'ask' | 'rate' | 'withdraw'>,
  options: () => ConversationOptions,
) {
  let state: ConversationState = { turns: [], status: 'ready', threadId: options().threadId }
  const listeners = new Set<() => void>()
  let answer: Answer | undefined
  let asked = 0

  function set(change: Partial<ConversationState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const changeTurn = (id: number, change: Partial<Turn>): readonly Turn[] =>
    state.turns.map((turn) => (turn.id === id ? { ...turn, ...change } : turn))

  /** Ends the answer that is being written. Its text stays. */
  function stop(): void {
    answer?.abort()
    answer = undefined
  }

  /** Draws what came of a turn, at most once a frame. */
  function createPainter(id: number, isCurrent: () => boolean) {
    let pending: Partial<Turn> = {}
    let cancelDraw: (() => void) | undefined
    const draw = () => {
      cancelDraw = undefined
      set({ turns: changeTurn(id, pending), ...(isCurrent() && { status: 'streaming' as const }) })
    }
    return {
      add: (change: Partial<Turn>) => {
        pending = { ...pending, status: 'streaming', ...change }
        cancelDraw ??= nextFrame(draw)
      },
      /** Draws the end immediately. */
      end: (change: Partial<Turn>, rest: Partial<ConversationState>) => {
        cancelDraw?.()
        set({ ...rest, turns: changeTurn(id, { ...pending, ...change }) })
      },
    }
  }

  async function read(id: number, mine: Answer): Promise<AnswerDone | CitewellError> {
    // After `stop`, no answer is current until the next question.
    const isCurrent = () => answer === mine || answer === undefined
    const painter = createPainter(id, isCurrent)
    try {
      for await (const frame of mine) {
        if (frame.type === 'start') painter.add({ citations: frame.citations })
        else if (frame.type === 'delta') painter.add({ text: frame.text })
      }
      const done = await mine.final()
      const { text, citations, covered, confidence, messageId, threadId } = done
      painter.end(
        { text, citations, covered, confidence, messageId, status: 'done' },
        isCurrent() ? { status: 'ready', threadId } : {},
      )
      return done
    } catch (thrown) {
      const error = asError(thrown)
      const isStopped = error.code === 'CANCELLED'
      painter.end(
        isStopped ? { status: 'stopped' } : { status: 'error', error },
        isCurrent() ? { status: isStopped ? 'ready' : 'error' } : {},
      )
      return error
    } finally {
      if (answer === mine) answer = undefined
    }
  }

  async function tellEnd(ending: Promise<AnswerDone | CitewellError>): Promise<void> {
    const end = await ending
    if (!(end instanceof CitewellError)) options().onAnswer?.(end)
    else if (end.code !== 'CANCELLED') options().onError?.(end)
  }

  function ask(question: string): void {
    stop()
    const { onAnswer: _onAnswer, onError: _onError, ...fields } = options()
    asked += 1
    const id = asked
    const mine = client.ask(question, { ...fields, threadId: state.threadId })
    answer = mine
    set({
      turns: [...state.turns, { id, question, text: '', citations: [], status: 'submitted' }],
      status: 'submitted',
    })
    void tellEnd(read(id, mine))
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    getState: () => state,
    ask,
    stop,
    /** Asks the last question again, in place of its answer. */
    retry: () => {
      const last = state.turns.at(-1)
      if (last === undefined) return
      stop()
      set({ turns: state.turns.slice(0, -1) })
      ask(last.question)
    },
    /** Rates an answer; without a rating, withdraws it. */
    rate: async (messageId: string, rating: 'up' | 'down' | undefined, comment?: string): Promise<void> => {
      if (rating === undefined) await client.withdraw(messageId)
      else await client.rate(messageId, rating, comment)
      set({ turns: state.turns.map((turn) => (turn.messageId === messageId ? { ...turn, rating } : turn)) })
    },
    /** Begins a new conversation. */
    reset: () => {
      stop()
      set({ turns: [], status: 'ready', threadId: undefined })
    },
  }
}

export type Conversation = ReturnType<typeof createConversation>

import type { Client } from '@citewell/sdk'
import type { Emit } from '../options/widget-events.ts'
import { groupIdsOf, type WidgetOptions } from '../options/widget-options.ts'
import { failureOf, type TellFailure } from './failure.ts'
import { createPace } from './pace.ts'
import { startOf } from './start-of.ts'
import { createStore, type Store } from './store.ts'
import { isOpen, type Turn } from './turn.ts'

/** Longest question, as the service has it: a copy, as what pages load of the widget imports nothing of the contract. */
export const LONGEST_QUESTION = 4_000

/** Conversations longer than this lose their first questions from the screen; the service still knows them. */
const MOST_TURNS = 50

export interface Conversation {
  turns: readonly Turn[]
  threadId: string | undefined
}

export interface Remembered {
  read(): Conversation | undefined
  /** Stores the conversation of this tab with what other tabs have stored since, and returns both together. */
  write(conversation: Conversation): Conversation
  /** Returns the conversation of this tab with what other tabs have stored since. */
  take(conversation: Conversation): Conversation
  forget(): void
  /** Tells when another tab has stored something, or has begun a new conversation. */
  follow(heard: (isForgotten: boolean) => void, signal: AbortSignal): void
}

export const NO_CONVERSATION: Conversation = { turns: [], threadId: undefined }

const newTurn = (id: number, question: string, quote: string): Turn => ({
  id,
  question,
  quote,
  status: 'waiting',
  found: [],
  text: '',
  citations: [],
  covered: true,
  messageId: undefined,
  failure: undefined,
  rating: undefined,
  commented: false,
  comment: '',
  isUnsent: false,
})

/** Asks, stops, rates; its store has the conversation. */
export function createConversation(parts: {
  client(): Promise<Client>
  options(): WidgetOptions
  emit: Emit
  tell: TellFailure
  remembered: Remembered
  /** Aborted when the panel leaves the page. */
  signal: AbortSignal
}) {
  const { options, emit, tell, remembered } = parts
  const earlier = remembered.read()
  const store: Store<Conversation> = createStore(earlier ?? NO_CONVERSATION)
  /** `text` is ahead of the screen by up to a frame. */
  let running: { id: number; controller: AbortController; text: string } | undefined
  /** Settles with the last rating that was sent. */
  let sent: Promise<unknown> = Promise.resolve()

  const change = (id: number, changes: Partial<Turn>) => {
    const turns = store.get().turns.map((turn) => (turn.id === id ? { ...turn, ...changes } : turn))
    store.set({ turns })
  }
  const remember = () => store.set(remembered.write(store.get()))
  remembered.follow((isForgotten) => {
    const mine = store.get()
    // What is being answered here is none of what the reader has put away there.
    store.set(isForgotten ? { turns: mine.turns.filter(isOpen), threadId: undefined } : remembered.take(mine))
  }, parts.signal)
  /** In the order of asking, and that of no other tab. Two questions of one tab are further apart than that. */
  const newId = () => Date.now() + Math.random()

  async function readAnswer(turn: Turn, controller: AbortController, started: number) {
    const { id, question, quote } = turn
    const query = quote === '' ? question : `${question}\n\n> ${quote.replaceAll('\n', '\n> ')}`
    const { userId, userEmail } = options()
    const client = await parts.client()
    const answer = client.ask(startOf(query, LONGEST_QUESTION), {
      threadId: store.get().threadId,
      groupIds: groupIdsOf(options()),
      // Read for each question: a page may say later who its reader is.
      ...((userId || userEmail) && { user: { id: userId || undefined, email: userEmail || undefined } }),
      signal: controller.signal,
    })
    let text = ''
    let isFlushing = false
    const pace = createPace()
    const flush = () => {
      isFlushing = false
      if (running?.id === id) change(id, { status: 'writing', text })
    }
    try {
      for await (const frame of answer)
        if (frame.type === 'start') change(id, { found: frame.citations })
        else if (frame.type === 'delta') {
          if (text === '') emit('first', { ms: Math.round(performance.now() - started) })
          text = frame.text
          if (running?.id === id) running.text = text
          if (!isFlushing) pace.soon(flush)
          isFlushing = true
        } else {
          const { citations, covered, messageId, threadId } = frame
          running = undefined
          store.set({ threadId })
          change(id, { status: 'done', text: frame.text, citations, covered, messageId })
          emit('answer', { message_id: messageId, covered, ms: Math.round(performance.now() - started) })
        }
    } finally {
      pace.stop()
    }
  }

  async function ask(question: string, { source = 'panel', quote = '' } = {}) {
    const asked = startOf(question.trim(), LONGEST_QUESTION)
    if (asked === '' || running) return
    const controller = new AbortController()
    const turn = newTurn(newId(), asked, quote)
    running = { id: turn.id, controller, text: '' }
    store.set({ turns: [...store.get().turns, turn].slice(-MOST_TURNS) })
    remember()
    emit('ask', { source })
    try {
      await readAnswer(turn, controller, performance.now())
    } catch (error) {
      if (running?.id !== turn.id) return
      const { text } = running
      running = undefined
      const failure = failureOf(error)
      change(turn.id, {
        text,
        ...(failure.kind === 'cancelled' ? { status: 'stopped' } : { status: 'failed', failure }),
      })
      tell(failure)
    } finally {
      remember()
    }
  }

  function stop() {
    if (!running) return
    const { id, controller, text } = running
    running = undefined
    change(id, { status: 'stopped', text })
    controller.abort()
    emit('stop', {})
    remember()
  }

  return {
    store,
    ask,
    stop,
    isAnswering: () => running !== undefined,
    /** Of an answer: what it contains is drawn before the service has named it. */
    messageOf: (id: number) => store.get().turns.find((turn) => turn.id === id)?.messageId,
    /** Asks the question of a turn again, in its place if it is the last. */
    askAgain: (turn: Turn) => {
      if (running) return
      const { turns } = store.get()
      if (turns.at(-1)?.id === turn.id) store.set({ turns: turns.slice(0, -1) })
      void ask(turn.question, { source: 'again', quote: turn.quote })
    },
    /** Keeps what the reader writes about an answer, wherever they look meanwhile. */
    write: ({ id }: Turn, comment: string) => change(id, { comment }),
    /**
     * Rates an answer, or withdraws the rating if it is the same. The screen does not wait for the service, and goes back if it fails.
     * Returns whether it is stored.
     */
    rate: async (turn: Turn, rating: 'up' | 'down', comment?: string): Promise<boolean> => {
      const { id, messageId = '' } = turn
      const isWithdrawn = turn.rating === rating && comment === undefined
      const after = {
        rating: isWithdrawn ? undefined : rating,
        commented: comment !== undefined,
        isUnsent: false,
      }
      change(id, after)
      // One after the other, so that what is pressed last is what is stored.
      const sending = sent.then(async () => {
        const client = await parts.client()
        if (isWithdrawn) await client.withdraw(messageId)
        else await client.rate(messageId, rating, comment)
      })
      sent = sending.catch(() => {})
      try {
        await sending
        change(id, { ...after, ...(comment && { comment: '' }) })
        emit('rate', { message_id: messageId, rating: isWithdrawn ? 'none' : rating })
        return true
      } catch (error) {
        change(id, { rating: turn.rating, commented: turn.commented, isUnsent: true })
        tell(failureOf(error))
        return false
      } finally {
        remember()
      }
    },
    reset: () => {
      stop()
      store.set(NO_CONVERSATION)
      remembered.forget()
      emit('reset', {})
    },
    /** Without a word: what is taken off the page has not failed. */
    destroy: () => {
      const ending = running
      running = undefined
      ending?.controller.abort()
    },
    hasOpenTurn: () => store.get().turns.some(isOpen),
  }
}

export type ConversationRoom = ReturnType<typeof createConversation>

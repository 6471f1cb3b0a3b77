import type { Citation } from '@citewell/sdk/management'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/session.ts'

/** A question with its answer, as far as it has come. */
export interface Turn {
  id: number
  query: string
  text: string
  citations: readonly Citation[]
  state: 'asked' | 'writing' | 'done' | 'stopped' | 'failed'
  covered: boolean
  confidence: number | undefined
  messageId: string | undefined
  error: unknown
}

const newTurn = (query: string): Turn => ({
  id: performance.now(),
  query,
  text: '',
  citations: [],
  state: 'asked',
  covered: true,
  confidence: undefined,
  messageId: undefined,
  error: undefined,
})

/** A conversation of a member with a knowledge base. */
export function useConversation(baseId: string) {
  const api = useApi()
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const threadId = useRef<string>(undefined)
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  const change = useCallback((id: number, fields: (turn: Turn) => Partial<Turn>) => {
    setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...fields(turn) } : turn)))
  }, [])

  const ask = useCallback(
    async (query: string): Promise<void> => {
      const turn = newTurn(query)
      const stop = new AbortController()
      stopping.current?.abort()
      stopping.current = stop
      setTurns((all) => [...all, turn])
      try {
        const body = { query, ...(threadId.current !== undefined && { thread_id: threadId.current }) }
        for await (const frame of api.askAsMember(baseId, body, { signal: stop.signal })) {
          if ('delta' in frame) {
            change(turn.id, ({ text }) => ({ text: text + frame.delta, state: 'writing' }))
          } else if (frame.done) {
            threadId.current = frame.thread_id ?? threadId.current
            change(turn.id, ({ text }) => ({
              text: frame.answer ?? text,
              citations: frame.citations,
              covered: frame.covered,
              confidence: frame.confidence,
              messageId: frame.message_id,
              state: 'done',
            }))
          } else change(turn.id, () => ({ citations: frame.citations ?? [] }))
        }
      } catch (error) {
        change(turn.id, () => (stop.signal.aborted ? { state: 'stopped' } : { state: 'failed', error }))
      }
    },
    [api, baseId, change],
  )

  const reset = useCallback(() => {
    stopping.current?.abort()
    threadId.current = undefined
    setTurns([])
  }, [])
  return { turns, ask, stop: () => stopping.current?.abort(), reset }
}

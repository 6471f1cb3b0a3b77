import type { Management } from '@citewell/sdk/management'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Turn } from '../ui/answer-turn.tsx'
import { useApi } from './session.ts'

/** What is asked: one knowledge base, or those of a workspace (an empty list: all that the person may chat in). */
export type AskedPlace = { baseId: string } | { workspaceId: string; baseIds: readonly string[] }

const newTurn = (query: string): Turn => ({
  id: performance.now(),
  query,
  text: '',
  citations: [],
  state: 'asked',
  covered: true,
  confidence: undefined,
  messageId: undefined,
  base: undefined,
  error: undefined,
})

/** The frames of an answer; those of a workspace name the base that answers. */
async function* framesOf(
  api: Management,
  place: AskedPlace,
  asked: { query: string; thread_id?: string },
  signal: AbortSignal,
) {
  if ('baseId' in place) {
    for await (const frame of api.askAsMember(place.baseId, asked, { signal }))
      yield { ...frame, knowledge_base: undefined }
    return
  }
  const body = { ...asked, knowledge_base_ids: [...place.baseIds] }
  for await (const frame of api.askInWorkspace(place.workspaceId, body, { signal }))
    yield { knowledge_base: undefined, ...frame }
}

/**
 * A conversation of a member.
 *
 * @param before the conversation that is continued, with what was said in it
 */
export function useConversation(place: AskedPlace, before?: { threadId: string; turns: readonly Turn[] }) {
  const api = useApi()
  const [turns, setTurns] = useState<readonly Turn[]>(before?.turns ?? [])
  const [threadId, setThreadId] = useState(before?.threadId)
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  const change = useCallback((id: number, fields: (turn: Turn) => Partial<Turn>) => {
    setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...fields(turn) } : turn)))
  }, [])

  async function ask(query: string): Promise<void> {
    const turn = newTurn(query)
    const stop = new AbortController()
    stopping.current?.abort()
    stopping.current = stop
    setTurns((all) => [...all, turn])
    try {
      const asked = { query, ...(threadId !== undefined && { thread_id: threadId }) }
      for await (const frame of framesOf(api, place, asked, stop.signal)) {
        const named = frame.knowledge_base === undefined ? {} : { base: frame.knowledge_base }
        if ('delta' in frame) {
          change(turn.id, ({ text }) => ({ text: text + frame.delta, state: 'writing' }))
        } else if (frame.done) {
          setThreadId((known) => frame.thread_id ?? known)
          change(turn.id, ({ text }) => ({
            text: frame.answer ?? text,
            citations: frame.citations,
            covered: frame.covered,
            confidence: frame.confidence,
            messageId: frame.message_id,
            state: 'done',
            ...named,
          }))
        } else change(turn.id, () => ({ citations: frame.citations ?? [], ...named }))
      }
    } catch (error) {
      change(turn.id, () => (stop.signal.aborted ? { state: 'stopped' } : { state: 'failed', error }))
    }
  }

  const reset = useCallback(() => {
    stopping.current?.abort()
    setThreadId(undefined)
    setTurns([])
  }, [])
  return { turns, threadId, ask, stop: () => stopping.current?.abort(), reset }
}

import type { Citation, Conversation as StoredConversation, KnowledgeBase } from '@citewell/sdk/management'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConversation } from '../../api/conversation.ts'
import { useApi } from '../../api/session.ts'
import { AnswerLog } from '../../ui/answer-log.tsx'
import { AnswerTurn, type Turn } from '../../ui/answer-turn.tsx'
import { Button } from '../../ui/button.tsx'
import { Composer } from '../../ui/composer.tsx'
import classes from './assistant-page.module.css'
import { CitedPage } from './cited-page.tsx'
import { RateAnswer } from './rate-answer.tsx'
import { bringIntoSight } from '../../ui/bring-into-sight.ts'

/** How many questions are offered to begin with, and of how many knowledge bases. */
const OFFERED = 4
const OFFERED_OF = 4

const WITHHELD = 'This answer is withheld: it is based on pages that you may not read.'

const stateOf = (stoppedBy: string | null): Turn['state'] =>
  stoppedBy === null ? 'done' : stoppedBy === 'cancelled' ? 'stopped' : 'failed'

/** The turns of a stored conversation. */
const turnsOf = ({ messages }: StoredConversation, base: KnowledgeBase | undefined): Turn[] =>
  messages.map((message, at) => ({
    id: at,
    query: message.query,
    text: message.answer ?? WITHHELD,
    citations: message.citations,
    state: stateOf(message.stopped_by),
    covered: message.covered,
    confidence: message.confidence,
    messageId: message.id,
    base,
    error: message.stopped_by === null ? undefined : new Error('This answer could not be finished.'),
  }))

/** Questions that the knowledge bases suggest, the first of each in turn. */
function Suggestions({ bases, onAsk }: { bases: readonly KnowledgeBase[]; onAsk: (query: string) => void }) {
  const api = useApi()
  const lists = useQueries({
    queries: bases.slice(0, OFFERED_OF).map(({ id }) => ({
      queryKey: ['suggested', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.suggestQuestionsToMember(id, { signal }),
    })),
    combine: (answers) => answers.map(({ data }) => data?.questions ?? []),
  })
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  const offered = [...new Set(inTurn)].slice(0, OFFERED)
  if (offered.length === 0) return null
  return (
    <ul className={classes['suggested']} aria-label="Suggested questions">
      {offered.map((question) => (
        <li key={question}>
          <Button onClick={() => onAsk(question)}>{question}</Button>
        </li>
      ))}
    </ul>
  )
}

/** A conversation with the knowledge bases of a workspace, and the cited page beside it. */
export function Conversation({
  workspaceId,
  bases,
  chosen,
  stored,
  onThread,
}: {
  workspaceId: string
  /** Those that the person may ask. */
  bases: readonly KnowledgeBase[]
  /** Ids of those that are asked; empty for all. */
  chosen: readonly string[]
  stored: StoredConversation | undefined
  /** A new conversation was stored. */
  onThread: (threadId: string) => void
}) {
  const baseOfStored = bases.find(({ id }) => id === stored?.knowledge_base_id)
  const { turns, threadId, ask, stop } = useConversation(
    { workspaceId, baseIds: chosen },
    stored === undefined ? undefined : { threadId: stored.id, turns: turnsOf(stored, baseOfStored) },
  )
  const [shown, show] = useState<Citation>()
  useEffect(() => {
    if (threadId !== undefined && threadId !== stored?.id) onThread(threadId)
    // oxlint-disable-next-line react/exhaustive-deps -- told once for each conversation
  }, [threadId])
  const latest = turns.at(-1)
  const isWriting = latest?.state === 'asked' || latest?.state === 'writing'
  const votes = new Map(stored?.messages.map(({ id, rating }) => [id, rating?.vote]))
  function askNow(query: string): void {
    show(undefined)
    void ask(query)
  }
  const asked = chosen.length === 0 ? bases : bases.filter(({ id }) => chosen.includes(id))
  return (
    <div className={shown === undefined ? classes['talk'] : classes['talkWithPage']}>
      <div className={classes['turns']}>
        {latest === undefined && <Suggestions bases={asked} onAsk={askNow} />}
        <AnswerLog turns={turns}>
          {turns.map((turn) => (
            <AnswerTurn
              key={turn.id}
              turn={turn}
              onCitation={show}
              onAgain={turn === latest ? () => askNow(turn.query) : undefined}
              actions={
                turn.messageId !== undefined && (
                  <RateAnswer messageId={turn.messageId} before={votes.get(turn.messageId)} />
                )
              }
            />
          ))}
        </AnswerLog>
        <Composer
          placeholder={latest === undefined ? 'Ask a question' : 'Ask a follow-up'}
          isDisabled={false}
          isWriting={isWriting}
          onAsk={askNow}
          onStop={stop}
        />
      </div>
      {shown !== undefined && (
        <aside key={shown.chunk_id} ref={bringIntoSight} className={classes['beside']} aria-label="Source">
          <CitedPage citation={shown} onClose={() => show(undefined)} />
        </aside>
      )}
    </div>
  )
}

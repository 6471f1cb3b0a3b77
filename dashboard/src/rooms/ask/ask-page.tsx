import type { Citation } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Fault } from '../../ui/fault.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { useKnowledgeBase } from '../knowledge-bases/bases-queries.ts'
import classes from './ask-page.module.css'
import { useConversation, type Turn } from './use-conversation.ts'

function TurnView({ turn, onCitation }: { turn: Turn; onCitation: (citation: Citation) => void }) {
  const { query, text, citations, state, covered, confidence, error } = turn
  return (
    <article className={classes['turn']} aria-busy={state === 'asked' || state === 'writing'}>
      <h2 dir="auto">{query}</h2>
      {state === 'asked' && (
        <p className={classes['note']} role="status">
          {citations.length === 0
            ? 'Searching…'
            : `Reading ${citations.length} passages: ${[...new Set(citations.map(({ title }) => title))].slice(0, 3).join(', ')}`}
        </p>
      )}
      <AnswerText text={text} citations={citations} onCitation={onCitation} />
      {state === 'stopped' && <p className={classes['note']}>You stopped this answer.</p>}
      {state === 'failed' && <Fault error={error} />}
      {state === 'done' && (
        <p className={classes['note']}>
          {covered ? <Status tone="ok">Covered</Status> : <Status tone="warn">Not covered</Status>}
          {confidence !== undefined && ` with a confidence of ${confidence.toFixed(2)}`}
        </p>
      )}
    </article>
  )
}

/** Asks a knowledge base as a member, and shows the cited passages beside the answer. */
export function AskPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/ask' })
  const base = useKnowledgeBase(baseId)
  const api = useApi()
  const { turns, ask, stop, reset } = useConversation(baseId)
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState<Citation>()
  const mayChat = base.data?.your_permissions.includes('chat') === true && base.data.status === 'active'
  const suggested = useQuery({
    queryKey: ['suggested', baseId],
    queryFn: ({ signal }) => api.suggestQuestionsToMember(baseId, { signal }),
    enabled: mayChat && turns.length === 0,
  })
  const latest = turns.at(-1)
  const isWriting = latest?.state === 'asked' || latest?.state === 'writing'
  const listed = shown === undefined ? (latest?.citations ?? []) : [shown]

  function submit(event?: FormEvent): void {
    event?.preventDefault()
    const asked = query.trim()
    if (asked === '' || isWriting) return
    setQuery('')
    setShown(undefined)
    void ask(asked)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    }
  }
  return (
    <Page
      title="Playground"
      lead="Ask as a member: answers also use restricted documents."
      actions={turns.length > 0 ? <Button onClick={reset}>New conversation</Button> : undefined}
    >
      <NeedsPermission base={base.data} permission="chat">
        <div className={classes['columns']}>
          <div>
            {turns.length === 0 && (suggested.data?.questions.length ?? 0) > 0 && (
              <ul className={classes['suggested']} aria-label="Suggested questions">
                {suggested.data?.questions.map((question) => (
                  <li key={question}>
                    <Button onClick={() => void ask(question)}>{question}</Button>
                  </li>
                ))}
              </ul>
            )}
            <div role="log" aria-label="Conversation">
              {turns.map((turn) => (
                <TurnView key={turn.id} turn={turn} onCitation={setShown} />
              ))}
            </div>
            <form onSubmit={submit} className={classes['composer']}>
              <textarea
                aria-label="Your question"
                placeholder={turns.length === 0 ? 'Ask a question' : 'Ask a follow-up'}
                rows={2}
                maxLength={4000}
                value={query}
                disabled={!mayChat}
                onChange={(event) => setQuery(event.target.value)}
                onKeyDown={onKeyDown}
              />
              {isWriting ? (
                <Button onClick={stop}>Stop</Button>
              ) : (
                <Button look="primary" type="submit">
                  Ask
                </Button>
              )}
            </form>
          </div>
          <aside aria-label="Sources">
            {shown !== undefined && (
              <Button look="quiet" onClick={() => setShown(undefined)}>
                All sources of the answer
              </Button>
            )}
            {listed.map((citation) => (
              <CitationView key={citation.index} citation={citation} />
            ))}
          </aside>
        </div>
      </NeedsPermission>
    </Page>
  )
}

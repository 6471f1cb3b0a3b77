import type { Citation } from '@citewell/sdk/management'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AnswerText } from '../../ui/answer-text.tsx'
import { AnswerLog } from '../../ui/answer-log.tsx'
import { Button } from '../../ui/button.tsx'
import { Composer } from '../../ui/composer.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Fault } from '../../ui/fault.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Outcome } from '../../ui/outcome.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { useConversation } from '../../api/conversation.ts'
import type { Turn } from '../../ui/answer-turn.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import classes from './ask-page.module.css'
import { StarterQuestions } from './starter-questions.tsx'
import { bringIntoSight } from '../../ui/bring-into-sight.ts'
import { counted } from '../../ui/time.tsx'

function TurnView({
  baseId,
  turn,
  mayConfigure,
  onCitation,
  onAgain,
}: {
  baseId: string
  turn: Turn
  /** The person may see how the answer came about, and write another. */
  mayConfigure: boolean
  onCitation: (citation: Citation) => void
  /** Asks it again, if it has failed or was stopped. */
  onAgain: (() => void) | undefined
}) {
  const { messageId, query, text, citations, state, covered, confidence, error } = turn
  return (
    <article className={classes['turn']} aria-busy={state === 'asked' || state === 'writing'}>
      <h2 dir="auto">{query}</h2>
      {state === 'asked' && (
        <p className={classes['note']} role="status">
          {citations.length === 0
            ? 'Searching…'
            : `Reading ${counted(citations.length, 'passage')}: ${[...new Set(citations.map(({ title }) => title))].slice(0, 3).join(', ')}`}
        </p>
      )}
      <AnswerText text={text} isWriting={state !== 'done'} citations={citations} onCitation={onCitation} />
      {state === 'stopped' && (
        <p className={classes['note']}>
          You stopped this answer. {onAgain !== undefined && <Button onClick={onAgain}>Ask again</Button>}
        </p>
      )}
      {state === 'failed' && <Fault error={error} onRetry={onAgain} />}
      {state === 'done' && (
        <p className={classes['note']}>
          <Outcome covered={covered} confidence={confidence} />
        </p>
      )}
      {messageId !== undefined && mayConfigure && (
        <p className={classes['ways']}>
          <Link to="/kb/$baseId/traces/$messageId" params={{ baseId, messageId }}>
            Trace
          </Link>
          <Link to="/kb/$baseId/answers" params={{ baseId }} search={{ question: query }}>
            Write an answer to this question
          </Link>
        </p>
      )}
    </article>
  )
}

/** The passages that the answer cites, or the one that was chosen. */
function Sources({
  citations,
  chosen,
  onAll,
}: {
  citations: readonly Citation[]
  chosen: Citation | undefined
  onAll: () => void
}) {
  return (
    <aside
      key={chosen?.chunk_id ?? 'all'}
      ref={chosen === undefined ? undefined : bringIntoSight}
      aria-label="Sources"
      className={classes['sources']}
    >
      {chosen !== undefined && (
        <Button look="quiet" onClick={onAll}>
          All sources of the answer
        </Button>
      )}
      {(chosen === undefined ? citations : [chosen]).map((citation) => (
        <CitationView key={citation.index} citation={citation} />
      ))}
    </aside>
  )
}

/** Asks a knowledge base as a member, and shows the cited passages beside the answer. */
export function AskPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/ask' })
  const base = useKnowledgeBase(baseId)
  const { turns, ask, stop, reset } = useConversation({ baseId })
  const [chosen, choose] = useState<Citation>()
  const mayConfigure = base.data?.your_permissions.includes('config') === true
  const isActive = base.data?.status === 'active'
  const latest = turns.at(-1)
  function beginAnew(): void {
    choose(undefined)
    reset()
  }
  function askNow(query: string): void {
    choose(undefined)
    void ask(query)
  }
  return (
    <Page
      title="Playground"
      lead="Ask as a member: answers also use restricted documents. Questions count towards the monthly quota."
      actions={latest === undefined ? undefined : <Button onClick={beginAnew}>New conversation</Button>}
    >
      <NeedsPermission base={base.data} permission="chat">
        <div className={classes['columns']}>
          <div>
            {isActive && base.data?.document_count === 0 && (
              <Empty says="This knowledge base has nothing to answer from yet: every question will be “not covered”.">
                <Link to="/start" search={{ kb: baseId }}>
                  Add the first source
                </Link>
              </Empty>
            )}
            {isActive && latest === undefined && <StarterQuestions baseId={baseId} onAsk={askNow} />}
            <AnswerLog turns={turns}>
              {turns.map((turn) => (
                <TurnView
                  key={turn.id}
                  baseId={baseId}
                  turn={turn}
                  mayConfigure={mayConfigure}
                  onCitation={choose}
                  onAgain={turn === latest ? () => askNow(turn.query) : undefined}
                />
              ))}
            </AnswerLog>
            <Composer
              placeholder={latest === undefined ? 'Ask a question' : 'Ask a follow-up'}
              isDisabled={!isActive}
              isWriting={latest?.state === 'asked' || latest?.state === 'writing'}
              onAsk={askNow}
              onStop={stop}
            />
          </div>
          <Sources citations={latest?.citations ?? []} chosen={chosen} onAll={() => choose(undefined)} />
        </div>
      </NeedsPermission>
    </Page>
  )
}

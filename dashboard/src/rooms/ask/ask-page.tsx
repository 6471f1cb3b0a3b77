import type { Citation } from '@citewell/sdk/management'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AnswerLog } from '../../ui/answer-log.tsx'
import { Button } from '../../ui/button.tsx'
import { Composer } from '../../ui/composer.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { useConversation } from '../../api/conversation.ts'
import { AnswerTurn, type Turn } from '../../ui/answer-turn.tsx'
import { useSources } from '../../api/sources.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import classes from './ask-page.module.css'
import { StarterQuestions } from './starter-questions.tsx'
import { bringIntoSight } from '../../ui/bring-into-sight.ts'

/** Where an answer leads who may configure the knowledge base: how it came about, and a better one. */
function WaysOn({ baseId, turn: { messageId, query } }: { baseId: string; turn: Turn }) {
  if (messageId === undefined) return null
  return (
    <>
      <Link to="/kb/$baseId/traces/$messageId" params={{ baseId, messageId }}>
        Trace
      </Link>
      <Link to="/kb/$baseId/answers" params={{ baseId }} search={{ question: query }}>
        Write an answer to this question
      </Link>
    </>
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
  const sources = useSources(baseId)
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
                <AnswerTurn
                  key={turn.id}
                  turn={turn}
                  onCitation={choose}
                  actions={mayConfigure && <WaysOn baseId={baseId} turn={turn} />}
                  sources={sources.data}
                  areSourcesBeside
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

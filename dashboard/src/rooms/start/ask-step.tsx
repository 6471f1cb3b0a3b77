import type { Citation, Source } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConversation } from '../../api/conversation.ts'
import { useApi } from '../../api/session.ts'
import { useSources } from '../../api/sources.ts'
import { AnswerLog } from '../../ui/answer-log.tsx'
import { AnswerTurn } from '../../ui/answer-turn.tsx'
import { Button } from '../../ui/button.tsx'
import { CitationView } from '../../ui/citation-view.tsx'
import { Composer } from '../../ui/composer.tsx'
import { pagesRead } from '../../ui/read-so-far.tsx'
import { isRunning } from '../../ui/source-status.ts'
import { Banner, Status } from '../../ui/status.tsx'
import { count } from '../../ui/time.tsx'
import classes from './start-page.module.css'
import { bringIntoSight } from '../../ui/bring-into-sight.ts'

/** Milliseconds between two looks at what can be asked, while pages are read. */
const LOOK_AGAIN_MS = 2_000

const OFFERED = 3

/** "12 of 340 pages so far", and how it ended. */
function Progress({ sources, documents }: { sources: readonly Source[]; documents: number }) {
  const now = pagesRead(sources)
  if (now !== undefined) {
    const { read, known } = now
    return (
      <div className={classes['progress']}>
        <Status tone="info">
          {known === 0 ? 'Reading begins' : `${count(read)} of ${count(known)} pages so far`}
        </Status>
        <progress aria-label="Pages read" value={known === 0 ? undefined : read} max={known || 1} />
      </div>
    )
  }
  const failed = sources.find(({ status }) => status === 'failed')
  if (failed !== undefined && documents === 0) {
    return (
      <Banner tone="danger">
        {failed.last_sync?.error ?? 'No page could be read.'} Go back, and change the address.
      </Banner>
    )
  }
  return <Ready documents={documents} />
}

/** How many documents can be asked, when nothing is being read. */
const Ready = ({ documents }: { documents: number }) =>
  documents === 0 ? (
    <Status tone="quiet">No document is ready, and nothing is being read</Status>
  ) : (
    <Status tone="ok">
      {documents === 1 ? '1 document is ready' : `${count(documents)} documents are ready`}
    </Status>
  )

/** What there is to ask, while it is being read: the sources, how many documents are ready, and questions to begin with. */
function useReadSoFar(baseId: string) {
  const api = useApi()
  const sources = useSources(baseId)
  const isReading = sources.data?.some(isRunning) === true
  const base = useQuery({
    queryKey: ['knowledge-base', baseId, 'ready'],
    queryFn: ({ signal }) => api.getKnowledgeBase(baseId, { signal }),
    refetchInterval: isReading ? LOOK_AGAIN_MS : false,
  })
  const inSources = sources.data?.reduce((sum, source) => sum + source.document_count, 0) ?? 0
  const documents = Math.max(base.data?.document_count ?? 0, inSources)
  const suggested = useQuery({
    queryKey: ['suggested', baseId, documents > 0, isReading],
    queryFn: ({ signal }) => api.suggestQuestionsToMember(baseId, { signal }),
    enabled: documents > 0,
    refetchInterval: ({ state }) => (state.data?.questions.length === 0 && isReading ? LOOK_AGAIN_MS : false),
  })
  const questions = suggested.data?.questions.slice(0, OFFERED) ?? []
  return { name: base.data?.name, sources: sources.data, isReading, documents, questions }
}

/** The third step: asking, also while the rest is still being read. */
export function AskStep({
  baseId,
  onBack,
  onDone,
}: {
  baseId: string
  onBack: () => void
  onDone: () => void
}) {
  const { name, sources, isReading, documents, questions } = useReadSoFar(baseId)
  const { turns, ask, stop } = useConversation({ baseId })
  const [chosen, choose] = useState<Citation>()
  const latest = turns.at(-1)
  const hasAnswer = turns.some(
    ({ state, covered, citations }) => state === 'done' && covered && citations.length > 0,
  )
  function askNow(query: string): void {
    choose(undefined)
    void ask(query)
  }
  return (
    <>
      {sources !== undefined && <Progress sources={sources} documents={documents} />}
      <div className={classes['talk']}>
        <div>
          {latest === undefined && questions.length > 0 && (
            <ul className={classes['suggested']} aria-label="Suggested questions">
              {questions.map((question) => (
                <li key={question}>
                  <Button onClick={() => askNow(question)}>{question}</Button>
                </li>
              ))}
            </ul>
          )}
          <AnswerLog turns={turns}>
            {turns.map((turn) => (
              <AnswerTurn
                key={turn.id}
                turn={turn}
                onCitation={choose}
                sources={sources}
                onAgain={turn === latest ? () => askNow(turn.query) : undefined}
              />
            ))}
          </AnswerLog>
          <Composer
            placeholder={
              documents > 0
                ? `Ask ${name ?? 'a question'}`
                : isReading
                  ? 'In a moment: the first pages are being read'
                  : 'There is nothing to ask yet'
            }
            isDisabled={documents === 0}
            isWriting={latest?.state === 'asked' || latest?.state === 'writing'}
            onAsk={askNow}
            onStop={stop}
          />
        </div>
        {chosen !== undefined && (
          <aside key={chosen.chunk_id} ref={bringIntoSight} aria-label="Source">
            <CitationView citation={chosen} />
          </aside>
        )}
      </div>
      <div className={classes['buttons']}>
        <Button onClick={onBack}>Back</Button>
        <Button look={hasAnswer ? 'primary' : 'plain'} onClick={onDone}>
          {hasAnswer ? 'Put it on your site' : 'Skip to your site'}
        </Button>
      </div>
    </>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { AnswerActions } from './answer-actions.tsx'
import { AnswerText } from './answer-text.tsx'
import { FailureCard } from './failure-card.tsx'
import { NotCovered } from './not-covered.tsx'
import { Sources } from './sources.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { isOpen, pagesOf, type Turn } from './turn.ts'

/** A wait shorter than this needs no word. */
const WORDLESS_MS = 300

/** What happens before the first word: the pages that are read are known by then. */
function StatusLine({ turn }: { turn: Turn }) {
  const { shared } = useSurroundings()
  const { say } = useStore(shared)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WORDLESS_MS)
    return () => clearTimeout(timer)
  }, [])
  const pages = pagesOf(turn.found)
  return (
    <div class="status" data-shown={isLong || pages.length > 0}>
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>
        {pages.length > 0 ? say('reading', { n: pages.length }) : say('searching')}
        {pages.length > 0 && (
          <span class="status-pages" dir="auto">
            {pages
              .slice(0, 3)
              .map(({ title }) => title)
              .join(' · ')}
          </span>
        )}
      </span>
    </div>
  )
}

function Ended({ turn }: { turn: Turn }) {
  const { shared, askAgain } = useSurroundings()
  const { say } = useStore(shared)
  if (turn.status === 'failed' && turn.failure) return <FailureCard turn={turn} failure={turn.failure} />
  if (turn.status === 'stopped')
    return (
      <div class="stopped">
        <span>{say('stopped')}</span>
        <button type="button" class="button" onClick={() => askAgain(turn)}>
          {say('askAgain')}
        </button>
      </div>
    )
  return (
    <>
      {turn.covered && <Sources turn={turn} />}
      <AnswerActions turn={turn} />
    </>
  )
}

/** A question with its answer. */
export function TurnView({ turn }: { turn: Turn }) {
  const isUncovered = turn.status === 'done' && !turn.covered
  return (
    <div class="turn">
      {turn.quote !== '' && (
        <blockquote class="quote" dir="auto">
          {turn.quote}
        </blockquote>
      )}
      <h3 class="question" dir="auto">
        {turn.question}
      </h3>
      {turn.status === 'waiting' && <StatusLine turn={turn} />}
      {isUncovered ? <NotCovered turn={turn} /> : turn.text !== '' && <AnswerText turn={turn} />}
      {!isOpen(turn) && <Ended turn={turn} />}
    </div>
  )
}

import { useCountdown } from './countdown.ts'
import { Handoff } from './handoff.tsx'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { sentenceOf, type Failure } from './failure.ts'
import type { Turn } from './turn.ts'

/** Failures after which people are the better way. */
const HOPELESS = ['quota_exceeded', 'misconfigured']

export function FailureCard({ turn, failure }: { turn: Turn; failure: Failure }) {
  const { shared, askAgain, place } = useSurroundings()
  const { say } = useStore(shared)
  const seconds = useCountdown(failure)
  const isFiltered = failure.kind === 'content_filtered'
  return (
    <div class="notice failure">
      <Icon name="alert" />
      <div class="notice-body">
        <p>
          {sentenceOf(failure, say)}
          {failure.retryable && seconds > 0 && ` ${say('wait', { n: seconds })}`}
        </p>
        <div class="notice-actions">
          {failure.retryable && !isFiltered && (
            <button type="button" class="button" disabled={seconds > 0} onClick={() => askAgain(turn)}>
              {say('tryAgain')}
            </button>
          )}
          {isFiltered && (
            <button
              type="button"
              class="button"
              onClick={() => place.set({ draft: turn.question, focused: place.get().focused + 1 })}
            >
              {say('rephrase')}
            </button>
          )}
          {failure.kind === 'quota_exceeded' && (
            <button
              type="button"
              class="button"
              onClick={() =>
                place.set({ tab: 'search', searched: turn.question, focused: place.get().focused + 1 })
              }
            >
              {say('search')}
            </button>
          )}
          {HOPELESS.includes(failure.kind ?? '') && <Handoff turn={turn} look="button" />}
        </div>
        <details class="others">
          <summary>{say('details')}</summary>
          <p class="technical" dir="ltr">
            {failure.code}
            {failure.requestId && ` · ${failure.requestId}`}
          </p>
        </details>
      </div>
    </div>
  )
}

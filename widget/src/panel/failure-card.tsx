import { useEffect, useState } from 'preact/hooks'
import { Handoff } from './handoff.tsx'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { sentenceOf, type Failure } from './failure.ts'
import type { Turn } from './turn.ts'

/** Failures after which people are the better way. */
const HOPELESS = ['quota_exceeded', 'misconfigured']

const secondsUntil = (time: number | undefined) =>
  time === undefined ? 0 : Math.max(0, Math.ceil((time - Date.now()) / 1_000))

/** Seconds until it is worth trying again, counting down. */
function useCountdown({ retryAt }: Failure): number {
  const [seconds, setSeconds] = useState(secondsUntil(retryAt))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(retryAt)), 1_000)
    return () => clearInterval(timer)
  }, [retryAt])
  return seconds
}

export function FailureCard({ turn, failure }: { turn: Turn; failure: Failure }) {
  const { shared, conversation, place } = useSurroundings()
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
            <button
              type="button"
              class="button"
              disabled={seconds > 0}
              onClick={() => conversation.askAgain(turn)}
            >
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

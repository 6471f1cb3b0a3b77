import { Handoff } from './handoff.tsx'
import { Icon } from './icons.tsx'
import { PageLink } from './sources.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { pagesOf, type Turn } from './turn.ts'

/** Passages shown where the documentation does not cover the question. */
const NEAREST = 3

/** "The documentation does not cover this": no failure, and no answer. The nearest passages follow, in their own words. */
export function NotCovered({ turn }: { turn: Turn }) {
  const { shared, place } = useSurroundings()
  const { say } = useStore(shared)
  const nearest = pagesOf(turn.found).slice(0, NEAREST)
  return (
    <div class="uncovered">
      <div class="notice">
        <Icon name="unknown" />
        <div class="notice-body">
          <p>
            <strong>{say('notCovered')}</strong>
          </p>
          <div class="notice-actions">
            <button
              type="button"
              class="button"
              onClick={() => place.set({ draft: turn.question, focused: place.get().focused + 1 })}
            >
              {say('rephrase')}
            </button>
            <Handoff turn={turn} look="button" />
          </div>
        </div>
      </div>
      {nearest.length > 0 && (
        <>
          <h4 class="small-head">{say('closest')}</h4>
          <ul class="passages">
            {nearest.map((citation) => (
              <li key={citation.chunkId}>
                <PageLink citation={citation} messageId={turn.messageId} />
                <blockquote dir="auto">{citation.excerpt}</blockquote>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

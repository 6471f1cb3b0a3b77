import type { Citation } from '@citewell/sdk'
import { isWebAddress } from '../markdown/safe-link.ts'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { pagesOf, type Turn } from './turn.ts'

/** A page as a link, or as words if its address is none of the web. */
export function PageLink({ citation, messageId }: { citation: Citation; messageId: string | undefined }) {
  const { shared, emit } = useSurroundings()
  const { options } = useStore(shared)
  const { title, url, headingPath } = citation
  const words = (
    <>
      <span class="page-title" dir="auto">
        {title}
      </span>
      {headingPath.length > 0 && (
        <span class="page-path" dir="auto">
          {headingPath.join(' › ')}
        </span>
      )}
    </>
  )
  if (!isWebAddress(url)) return <span class="page-link">{words}</span>
  return (
    <a
      class="page-link"
      href={url}
      target={options.openLinks === 'new' ? '_blank' : undefined}
      rel="noopener"
      onClick={() => emit('citation', { message_id: messageId, url })}
    >
      {words}
    </a>
  )
}

/** The pages that an answer cites, under their numbers, and, folded, those that were found besides. */
export function Sources({ turn }: { turn: Turn }) {
  const { shared } = useSurroundings()
  const { say } = useStore(shared)
  const seen = new Set<number>()
  const cited = turn.citations.filter(({ index }) => !seen.has(index) && seen.add(index))
  const others = pagesOf(turn.found).filter(
    (page) => !turn.citations.some(({ documentId }) => documentId === page.documentId),
  )
  return (
    <div class="sources">
      {cited.length > 0 && (
        <>
          <h4 class="small-head">{say('sources')}</h4>
          <ol class="source-list">
            {cited.map((citation) => (
              <li key={citation.index}>
                <span class="number" aria-hidden="true">
                  {citation.index}
                </span>
                <PageLink citation={citation} messageId={turn.messageId} />
              </li>
            ))}
          </ol>
        </>
      )}
      {others.length > 0 && (
        <details class="others">
          <summary>{say('alsoFound', { n: others.length })}</summary>
          <ul class="source-list">
            {others.slice(0, 8).map((citation) => (
              <li key={citation.chunkId}>
                <PageLink citation={citation} messageId={turn.messageId} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

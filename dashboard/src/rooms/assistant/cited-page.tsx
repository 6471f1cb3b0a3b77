import type { Citation } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { PassageText } from '../../ui/passage-text.tsx'
import classes from './assistant-page.module.css'

const isWeb = (url: string) => /^https?:\/\//i.test(url)

/** The cited page beside the answer: the passage with its words marked, and what stands before and after it. */
export function CitedPage({ citation, onClose }: { citation: Citation; onClose: () => void }) {
  const api = useApi()
  const { index, title, url, heading_path: path, excerpt, document_id: id, chunk_id: chunkId } = citation
  const document = useQuery({
    queryKey: ['document', id],
    queryFn: ({ signal }) => api.getDocument(id, { signal }),
  })
  const chunks = document.data?.chunks ?? []
  const at = chunks.findIndex((chunk) => chunk.id === chunkId)
  const [before, cited, after] = [chunks[at - 1], chunks[at], chunks[at + 1]]
  return (
    <section aria-label={`Source ${index}: ${title}`}>
      <div className={classes['citedHead']}>
        <h2>
          <span className={classes['number']}>{index}</span> {title}
        </h2>
        <Button look="quiet" aria-label="Close the source" onClick={onClose}>
          ✕
        </Button>
      </div>
      {path.length > 0 && <p className={classes['note']}>{path.join(' › ')}</p>}
      {document.isPending && <Skeleton />}
      <div className={classes['passages']} tabIndex={0} role="region" aria-label="Text of the source">
        {before !== undefined && cited !== undefined && <PassageText text={before.text} isQuiet />}
        <PassageText text={cited?.text ?? excerpt} marked={excerpt} />
        {after !== undefined && cited !== undefined && <PassageText text={after.text} isQuiet />}
      </div>
      {isWeb(url) && (
        <a className={classes['open']} href={url} target="_blank" rel="noreferrer">
          Open the page ↗
        </a>
      )}
    </section>
  )
}

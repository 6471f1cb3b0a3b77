import type { Citation } from '@citewell/sdk/management'
import classes from './citation-view.module.css'

/** A cited passage, with the way to its page. */
export function CitationView({ citation }: { citation: Citation }) {
  const { index, title, url, heading_path: path, excerpt } = citation
  const isWeb = /^https?:\/\//i.test(url)
  return (
    <article className={classes['card']}>
      <h3>
        <span className={classes['number']}>{index}</span>{' '}
        {isWeb ? (
          <a href={url} target="_blank" rel="noreferrer">
            {title}
          </a>
        ) : (
          title
        )}
      </h3>
      {path.length > 0 && <p className={classes['path']}>{path.join(' › ')}</p>}
      <p className={classes['excerpt']}>{excerpt}</p>
    </article>
  )
}

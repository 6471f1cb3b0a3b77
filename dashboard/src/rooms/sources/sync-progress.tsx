import type { Source } from '@citewell/sdk/management'
import { count } from '../../ui/time.tsx'
import classes from './sources-page.module.css'

/** How far a sync is. Pages are found while it reads, so the end is not known before the end. */
export function SyncProgress({ source: { last_sync: sync } }: { source: Source }) {
  if (sync === null) return null
  const { discovered, added, changed, unchanged, skipped, failed } = sync.counts
  const done = added + changed + unchanged + skipped + failed
  return (
    <div className={classes['progress']}>
      <progress max={Math.max(discovered, 1)} value={done} aria-label="Pages read" />
      <span>{discovered === 0 ? 'looking for pages' : `${count(done)} of about ${count(discovered)}`}</span>
    </div>
  )
}

import type { KnowledgeBase, Source } from '@citewell/sdk/management'
import { Link } from '@tanstack/react-router'
import { BaseState } from '../../ui/base-state.tsx'
import { counted, Time } from '../../ui/time.tsx'
import classes from './health-line.module.css'

/** In one line: whether it answers, from how much, how old that is, and what could not be read. */
export function HealthLine({ base, sources }: { base: KnowledgeBase; sources: readonly Source[] }) {
  const failed = sources.reduce((sum, { last_sync: sync }) => sum + (sync?.counts.failed ?? 0), 0)
  const broken = sources.filter(({ status }) => status === 'failed').length
  const lastRead = sources
    .flatMap(({ last_sync: sync }) => sync?.finished_at ?? [])
    .toSorted()
    .at(-1)
  return (
    <p className={classes['line']}>
      <BaseState base={base} />
      <span>{counted(base.document_count, 'document')}</span>
      <span>{counted(sources.length, 'source')}</span>
      {lastRead !== undefined && (
        <span>
          last read <Time at={lastRead} />
        </span>
      )}
      {failed + broken > 0 && (
        <Link to="/kb/$baseId/sources" params={{ baseId: base.id }}>
          {broken > 0
            ? `${counted(broken, 'source')} failed`
            : `${counted(failed, 'page')} could not be read`}
        </Link>
      )}
    </p>
  )
}

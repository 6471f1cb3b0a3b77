import type { Evaluation } from '@citewell/sdk/management'
import { Progress } from '../../ui/progress.tsx'
import { Status } from '../../ui/status.tsx'
import { count } from '../../ui/time.tsx'
import { isGoing } from './run-figures.ts'

export function RunStatus({ run }: { run: Evaluation }) {
  if (run.status === 'succeeded') return <Status tone="ok">Done</Status>
  if (run.status === 'failed') return <Status tone="danger">Failed</Status>
  if (run.status === 'cancelled') return <Status tone="quiet">Cancelled</Status>
  return <Status tone="info">{run.status === 'queued' ? 'Waiting' : 'Running'}</Status>
}

/** How far a run is. */
export function RunProgress({ run }: { run: Evaluation }) {
  if (!isGoing(run)) return null
  return (
    <Progress
      label={`${count(run.completed)} of ${count(run.total)} questions`}
      value={run.completed}
      max={run.total}
    />
  )
}

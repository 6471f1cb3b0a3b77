import { Status } from './status.tsx'

/** How a reader rated an answer. */
export function Vote({ vote }: { vote: 'up' | 'down' | null | undefined }) {
  if (vote === null || vote === undefined) return <>–</>
  return vote === 'up' ? <Status tone="ok">Up</Status> : <Status tone="danger">Down</Status>
}

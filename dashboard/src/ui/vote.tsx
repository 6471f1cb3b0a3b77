import { Status } from './status.tsx'
import { count } from './time.tsx'

/** How a reader rated an answer. */
export function Vote({ vote }: { vote: 'up' | 'down' | null | undefined }) {
  if (vote === null || vote === undefined) return <>–</>
  return vote === 'up' ? <Status tone="ok">Up</Status> : <Status tone="danger">Down</Status>
}

/** How many rated up and down, in words: signs are those of states. */
export const votesInWords = ({ up, down }: { up: number; down: number }): string =>
  up + down === 0 ? '–' : `${count(up)} up, ${count(down)} down`

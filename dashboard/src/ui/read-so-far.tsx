import type { Source } from '@citewell/sdk/management'
import { useState } from 'react'
import { Button } from './button.tsx'
import classes from './answer-turn.module.css'
import { isRunning } from './source-status.ts'
import { count } from './time.tsx'

/**
 * How many pages were read of those that are known, over all sources that are being read.
 *
 * @returns undefined: nothing is being read
 */
export function pagesRead(sources: readonly Source[]): { read: number; known: number } | undefined {
  const running = sources.filter(isRunning)
  if (running.length === 0) return undefined
  const read = running.reduce((sum, { last_sync: sync }) => {
    const counts = sync?.counts
    return counts === undefined ? sum : sum + counts.added + counts.changed + counts.unchanged
  }, 0)
  const discovered = running.reduce((sum, { last_sync: sync }) => sum + (sync?.counts.discovered ?? 0), 0)
  return { read, known: Math.max(discovered, read) }
}

/**
 * Says of a question that was not covered that it was asked before all pages were read: the answer may be on one that was not. Nothing, where
 * all were read when it was asked.
 */
export function ReadSoFar({
  sources,
  onAgain,
}: {
  sources: readonly Source[]
  /** Asks it again; undefined: another question came after it. */
  onAgain: (() => void) | undefined
}) {
  const now = pagesRead(sources)
  // It is shown once the answer ended: what was read afterwards was not known to it.
  const [wasReading] = useState(now !== undefined)
  if (!wasReading) return null
  const told =
    now === undefined
      ? 'More pages have been read since.'
      : `Pages are still being read${now.known === 0 ? '' : ` (${count(now.read)} of ${count(now.known)} so far)`}: the answer may be on one of the others.`
  return (
    <p className={classes['readSoFar']} role="status">
      {told}
      {onAgain !== undefined && <Button onClick={onAgain}>Ask again</Button>}
    </p>
  )
}

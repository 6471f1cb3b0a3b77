import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Fault } from './fault.tsx'
import classes from './loaded.module.css'

/** Milliseconds before a skeleton: most answers are there earlier, and a flash is worse than nothing. */
const PATIENCE_MS = 300

export function Skeleton({ rows = 4 }: { rows?: number }) {
  const [isShown, show] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => show(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <div className={classes['skeleton']} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} />
      ))}
    </div>
  )
}

/** What was read, or that it is being read, or why it could not be. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Fault error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton />
}

import { useEffect, useState } from 'preact/hooks'
import type { Failure } from './failure.ts'

export const secondsUntil = ({ retryAt = 0 }: Failure): number =>
  Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000))

/** Seconds until it is worth trying again, counting down. */
export function useCountdown(failure: Failure): number {
  const [seconds, setSeconds] = useState(secondsUntil(failure))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(failure)), 1_000)
    return () => clearInterval(timer)
  }, [failure])
  return seconds
}

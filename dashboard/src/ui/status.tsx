import type { ReactNode } from 'react'
import classes from './status.module.css'

export type Tone = 'ok' | 'warn' | 'danger' | 'info' | 'quiet'

const SIGNS: Record<Tone, string> = { ok: '✓', warn: '▲', danger: '✕', info: '◐', quiet: '○' }

/** A state, by a sign and a word: colour alone says nothing. */
export function Status({
  tone,
  isLong = false,
  children,
}: {
  tone: Tone
  /** It may take more than one line. */
  isLong?: boolean
  children: ReactNode
}) {
  return (
    <span className={[!isLong && classes['status'], classes[tone]].filter(Boolean).join(' ')}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {children}
    </span>
  )
}

/** A sentence that a whole screen or form has to say. */
export function Banner({ tone, children, action }: { tone: Tone; children: ReactNode; action?: ReactNode }) {
  return (
    <div
      className={[classes['banner'], classes[tone]].join(' ')}
      role={tone === 'danger' ? 'alert' : 'status'}
    >
      <span aria-hidden="true">{SIGNS[tone]}</span>
      <div>{children}</div>
      {action}
    </div>
  )
}

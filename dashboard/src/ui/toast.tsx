import { use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import { sentenceOf } from './fault.tsx'
import classes from './toast.module.css'
import { ToastContext, type Toasts } from './toasts-context.ts'

interface Said {
  id: number
  text: string
  isFault: boolean
}

/** Milliseconds that a message stays. */
const STAYS_MS = 6_000

export const useToasts = (): Toasts => use(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<readonly Said[]>([])
  const remove = useCallback((id: number) => setSaid((all) => all.filter((one) => one.id !== id)), [])
  const last = useRef(0)
  const add = useCallback(
    (text: string, isFault: boolean) => {
      last.current += 1
      const id = last.current
      setSaid((all) => [...all.slice(-2), { id, text, isFault }])
      if (!isFault) setTimeout(() => remove(id), STAYS_MS)
    },
    [remove],
  )
  const toasts = useMemo<Toasts>(
    () => ({ tell: (text) => add(text, false), tellFault: (error) => add(sentenceOf(error), true) }),
    [add],
  )
  return (
    <ToastContext value={toasts}>
      {children}
      <div className={classes['toasts']} role="status" data-stays-reachable="">
        {said.map(({ id, text, isFault }) => (
          <div key={id} className={[classes['toast'], isFault && classes['fault']].filter(Boolean).join(' ')}>
            <span>{text}</span>
            <button type="button" aria-label="Close this message" onClick={() => remove(id)}>
              ✕
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}

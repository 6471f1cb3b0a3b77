import { use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { sentenceOf } from './fault.tsx'
import classes from './toast.module.css'
import { ToastContext, type Toasts } from './toasts-context.ts'

interface Said {
  id: number
  text: string
  isFault: boolean
}

/** Milliseconds that a message stays: long enough to notice it, and to read it slowly. */
const staysMs = (text: string): number => 4_000 + text.length * 80

/** A message. It goes by itself unless it tells of a fault, and stays while it is pointed at or has the focus. */
function Toast({ said: { id, text, isFault }, onEnd }: { said: Said; onEnd: (id: number) => void }) {
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (isFault || isHeld) return
    const timer = setTimeout(() => onEnd(id), staysMs(text))
    return () => clearTimeout(timer)
  }, [id, isFault, isHeld, onEnd, text])
  return (
    <div
      className={[classes['toast'], isFault && classes['fault']].filter(Boolean).join(' ')}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <span>{text}</span>
      <button type="button" aria-label="Close this message" onClick={() => onEnd(id)}>
        ✕
      </button>
    </div>
  )
}

export const useToasts = (): Toasts => use(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<readonly Said[]>([])
  const remove = useCallback((id: number) => setSaid((all) => all.filter((one) => one.id !== id)), [])
  const last = useRef(0)
  const add = useCallback((text: string, isFault: boolean) => {
    last.current += 1
    const id = last.current
    setSaid((all) => [...all.slice(-2), { id, text, isFault }])
  }, [])
  const toasts = useMemo<Toasts>(
    () => ({ tell: (text) => add(text, false), tellFault: (error) => add(sentenceOf(error), true) }),
    [add],
  )
  return (
    <ToastContext value={toasts}>
      {children}
      <div className={classes['toasts']} role="status" data-stays-reachable="">
        {said.map((one) => (
          <Toast key={one.id} said={one} onEnd={remove} />
        ))}
      </div>
    </ToastContext>
  )
}

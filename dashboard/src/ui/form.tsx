import { use, useEffect, useId, useRef, useState, type ComponentProps } from 'react'
import { LeaveGuard } from './leave-guard.tsx'
import { typedIn, UnsavedContext } from './unsaved.ts'

/**
 * A form whose fields are not lost unseen: while something is typed that was not sent, leaving the screen or closing the dialog asks first.
 * What is sent counts as saved, until sending it fails.
 */
export function Form({
  hasFailed = false,
  isSaved = false,
  ref: given,
  onSubmit,
  onInput,
  children,
  ...rest
}: ComponentProps<'form'> & {
  /** Whether sending it has failed: then it is not saved. */
  hasFailed?: boolean
  /** Whether what is typed is stored, or on its way, although the form itself was not sent. */
  isSaved?: boolean
}) {
  const id = useId()
  const place = useRef<HTMLFormElement>(null)
  const saved = useRef('')
  const sent = useRef<string>(undefined)
  const [isTyped, setTyped] = useState(false)
  const [isSent, setSent] = useState(false)
  const dialog = use(UnsavedContext)
  const isUnsaved = isTyped && !isSaved && (!isSent || hasFailed)

  useEffect(() => {
    if (place.current === null) return
    saved.current = typedIn(place.current)
    // A dialog begins at its first field, and not at the cross that closes it.
    if (dialog !== undefined)
      place.current.querySelector('input, select, textarea')?.setAttribute('data-autofocus', 'true')
  }, [dialog])
  useEffect(() => {
    dialog?.report(id, isUnsaved)
    return () => dialog?.report(id, false)
  }, [dialog, id, isUnsaved])

  return (
    <form
      {...rest}
      ref={(form) => {
        place.current = form
        if (typeof given === 'function') given(form)
        else if (given !== undefined && given !== null) given.current = form
      }}
      onInput={(event) => {
        onInput?.(event)
        const now = typedIn(event.currentTarget)
        if (isSent && !hasFailed) saved.current = sent.current ?? saved.current
        setSent(false)
        setTyped(now !== saved.current)
      }}
      onSubmit={(event) => {
        sent.current = typedIn(event.currentTarget)
        setSent(true)
        onSubmit?.(event)
      }}
    >
      {children}
      {/* A dialog asks itself before it is closed; the screen below it can be left all the same, by the browser's way back and by keys. */}
      <LeaveGuard isDirty={isUnsaved} />
    </form>
  )
}

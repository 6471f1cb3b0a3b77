import { LIMITS } from '@citewell/contract/limits'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { Button } from './button.tsx'
import classes from './composer.module.css'

/** Where a question is written. Enter sends it, Shift+Enter begins a new line. */
export function Composer({
  placeholder,
  isDisabled,
  isWriting,
  onAsk,
  onStop,
}: {
  placeholder: string
  isDisabled: boolean
  /** An answer is being written. */
  isWriting: boolean
  onAsk: (query: string) => void
  onStop: () => void
}) {
  const [query, setQuery] = useState('')
  function submit(event?: FormEvent): void {
    event?.preventDefault()
    const asked = query.trim()
    if (asked === '' || isWriting) return
    setQuery('')
    onAsk(asked)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <form onSubmit={submit} className={classes['composer']}>
      <textarea
        aria-label="Your question"
        placeholder={placeholder}
        rows={2}
        maxLength={LIMITS.query}
        value={query}
        disabled={isDisabled}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isWriting ? (
        <Button onClick={onStop}>Stop</Button>
      ) : (
        <Button look="primary" type="submit">
          Ask
        </Button>
      )}
    </form>
  )
}

import { useEffect, useRef, useState, type ReactNode } from 'react'
import classes from './filter-bar.module.css'

/** Milliseconds after the last key before a filter is used: a word is one request and not five. */
const PATIENCE_MS = 120

/** Finds records by a text; `/` leads here. */
export function TextFilter({
  label,
  value,
  maxLength,
  onChange,
}: {
  label: string
  value: string
  maxLength: number
  onChange: (value: string) => void
}) {
  const [text, setText] = useState(value)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const used = useRef(value)
  // Another address, such as by the browser's way back, has another text.
  useEffect(() => {
    if (value === used.current) return
    used.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(waiting.current), [])
  function type(next: string): void {
    setText(next)
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => {
      used.current = next.trim()
      onChange(used.current)
    }, PATIENCE_MS)
  }
  return (
    <input
      type="search"
      className={classes['text']}
      aria-label={label}
      placeholder={label}
      title="Press / to come here"
      data-filter=""
      autoComplete="off"
      maxLength={maxLength}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  )
}

/** One of some values, or all. */
export function ChoiceFilter({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}) {
  return (
    <label className={classes['choice']}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A day, such as the first of those that are shown. */
export function DayFilter({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <label className={classes['choice']}>
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  )
}

/** Filters above a list. */
export const FilterBar = ({ children }: { children: ReactNode }) => (
  <div className={classes['bar']} role="search">
    {children}
  </div>
)

import { useId } from 'react'
import classes from './progress.module.css'

/** How far something is, in words and as a bar. */
export function Progress({ label, value, max }: { label: string; value: number; max: number }) {
  const id = useId()
  return (
    <div className={classes['progress']}>
      <label htmlFor={id}>{label}</label>
      <progress id={id} value={value} max={max} />
    </div>
  )
}

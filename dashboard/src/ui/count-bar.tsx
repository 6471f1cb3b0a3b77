import classes from './count-bar.module.css'
import { count } from './time.tsx'

/** A number of a list, with a bar that compares it with the greatest of the list. */
export function CountBar({ value, most }: { value: number; most: number }) {
  return (
    <span className={classes['cell']}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className={classes['bar']}>
        <rect className={classes['ground']} width={100} height={8} />
        <rect className={classes['share']} width={most === 0 ? 0 : (value / most) * 100} height={8} />
      </svg>
      {count(value)}
    </span>
  )
}

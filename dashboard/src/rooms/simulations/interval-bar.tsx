import classes from './simulations.module.css'

/** A rate on a line from 0 to 100%, with the interval that so many tickets allow. The figures beside it say the same. */
export function IntervalBar({ rate, low, high }: { rate: number; low: number; high: number }) {
  const percent = (share: number) => `${share * 100}%`
  return (
    <span className={classes['line']} aria-hidden="true">
      <span
        className={classes['range']}
        style={{ insetInlineStart: percent(low), inlineSize: percent(high - low) }}
      />
      <span className={classes['point']} style={{ insetInlineStart: percent(rate) }} />
    </span>
  )
}

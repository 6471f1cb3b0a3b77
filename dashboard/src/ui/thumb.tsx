import classes from './thumb.module.css'

/** The widget's, of 24 by 24: readers know it from there. */
const THUMB =
  'M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1 2 3l-.6 3H19a1.5 1.5 0 0 1 1.5 1.9l-1.7 6.5A2 2 0 0 1 17 20H7'

/** A thumb beside the word of a vote, filled once it is given. */
export const Thumb = ({ isDown, isPressed }: { isDown: boolean; isPressed: boolean }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={isPressed ? classes['pressed'] : classes['thumb']}>
    <path d={THUMB} transform={isDown ? 'rotate(180 12 12)' : undefined} />
  </svg>
)

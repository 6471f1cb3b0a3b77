import type { ComponentProps, ReactNode } from 'react'
import classes from './button.module.css'

interface ButtonProps extends ComponentProps<'button'> {
  look?: 'primary' | 'plain' | 'danger' | 'quiet'
  /** Why it cannot be pressed. It stays focusable, so that everyone can learn the reason. */
  blocked?: string | undefined
  children: ReactNode
}

/** A button that says what it does: a verb and its object. */
export function Button({
  look = 'plain',
  blocked,
  className,
  onClick,
  type,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={[classes['button'], classes[look], className].filter(Boolean).join(' ')}
      aria-disabled={blocked === undefined ? undefined : true}
      title={blocked ?? rest.title}
      onClick={(event) => {
        if (blocked !== undefined) return event.preventDefault()
        onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}

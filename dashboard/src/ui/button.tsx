import { use, type ComponentProps, type ReactNode } from 'react'
import classes from './button.module.css'
import { ToastContext } from './toasts-context.ts'

interface ButtonProps extends ComponentProps<'button'> {
  /** `link`: it shows more of what stands beside it, and changes nothing. */
  look?: 'primary' | 'plain' | 'danger' | 'quiet' | 'link'
  /** Why it cannot be pressed. It stays focusable, and says the reason when it is pressed. */
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
  const { tell } = use(ToastContext)
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={[classes['button'], classes[look], className].filter(Boolean).join(' ')}
      aria-disabled={blocked === undefined ? undefined : true}
      title={blocked ?? rest.title}
      onClick={(event) => {
        if (blocked !== undefined) {
          event.preventDefault()
          return tell(blocked)
        }
        onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}

import { useId, type ComponentProps, type ReactNode } from 'react'
import classes from './field.module.css'

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  className: string | undefined
}

/** A label, a control, what helps to fill it in, and what is wrong with it. */
function Field({ label, hint, error, children }: FieldProps & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={classes['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
        className: classes['control'],
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={classes['hint']}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={classes['error']}>
          {error}
        </p>
      )}
    </div>
  )
}

export const TextInput = ({ label, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) => (
  <Field label={label} hint={hint} error={error}>
    {(wiring) => <input type="text" autoComplete="off" {...rest} {...wiring} />}
  </Field>
)

export const TextArea = ({ label, hint, error, ...rest }: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} hint={hint} error={error}>
    {(wiring) => <textarea rows={4} {...rest} {...wiring} />}
  </Field>
)

export const Select = ({
  label,
  hint,
  error,
  options,
  ...rest
}: FieldProps &
  ComponentProps<'select'> & { options: readonly (readonly [value: string, label: string])[] }) => (
  <Field label={label} hint={hint} error={error}>
    {(wiring) => (
      <select {...rest} {...wiring}>
        {options.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** A setting that is on or off. */
export const Switch = ({ label, hint, ...rest }: FieldProps & ComponentProps<'input'>) => {
  const id = useId()
  return (
    <div className={classes['switch']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        {...rest}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className={classes['hint']}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

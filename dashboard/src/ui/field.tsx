import { CitewellError } from '@citewell/sdk/management'
import { createContext, use, useEffect, useId, useState, type ComponentProps, type ReactNode } from 'react'
import classes from './field.module.css'

interface FieldProps {
  label: string
  /** Where the service says what is wrong with it; default: its name. */
  faultsAt?: string | undefined
  hint?: ReactNode
  error?: string | undefined
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  className: string | undefined
}

const FieldFaults = createContext<unknown>(undefined)

/** The refusal of the service, whose faults are then shown at their fields: a field is named as in the request. */
export const FieldFaultsProvider = FieldFaults.Provider

/** What the service found wrong with this field, or with a part of it. */
export function useFieldFault(name: string | undefined): string | undefined {
  const error = use(FieldFaults)
  if (name === undefined || !(error instanceof CitewellError)) return undefined
  const isOf = (path: string) => path === name || path.startsWith(`${name}.`)
  const found = error.details?.filter(({ path }) => isOf(path)).map(({ message }) => message)
  return found === undefined || found.length === 0 ? undefined : [...new Set(found)].join('; ')
}

/** What is wrong with a field, until a person changes it: whether that helped, the service says when it is saved again. */
function useOpenFault(name: string | undefined, given: string | undefined) {
  const refusal = use(FieldFaults)
  const found = useFieldFault(name)
  const [changedAfter, setChangedAfter] = useState<unknown>()
  return [given ?? (changedAfter === refusal ? undefined : found), () => setChangedAfter(refusal)] as const
}

/** A label, a control, what helps to fill it in, and what is wrong with it. */
function Field({
  label,
  hint,
  error: given,
  name,
  children,
}: FieldProps & { name: string | undefined; children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const [error, onInput] = useOpenFault(name, given)
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={classes['field']} onInput={onInput}>
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

export const TextInput = ({
  label,
  hint,
  error,
  faultsAt,
  ...rest
}: FieldProps & ComponentProps<'input'>) => (
  <Field label={label} hint={hint} error={error} name={faultsAt ?? rest.name}>
    {(wiring) => <input type="text" autoComplete="off" {...rest} {...wiring} />}
  </Field>
)

export const TextArea = ({
  label,
  hint,
  error,
  faultsAt,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} hint={hint} error={error} name={faultsAt ?? rest.name}>
    {(wiring) => <textarea rows={4} {...rest} {...wiring} />}
  </Field>
)

export const Select = ({
  label,
  hint,
  error,
  faultsAt,
  options,
  ...rest
}: FieldProps &
  ComponentProps<'select'> & { options: readonly (readonly [value: string, label: string])[] }) => (
  <Field label={label} hint={hint} error={error} name={faultsAt ?? rest.name}>
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

/** Milliseconds for which a press is shown before its property follows: a mutation is told to the screen one frame later. */
const FOLLOWS_WITHIN_MS = 500

/** What a switch shows: what was pressed, until its property says the same, or has not followed. */
function usePressed(checked: boolean | undefined): [boolean | undefined, (pressed: boolean) => void] {
  const [pressed, setPressed] = useState<boolean>()
  if (pressed !== undefined && pressed === checked) setPressed(undefined)
  useEffect(() => {
    if (pressed === undefined) return undefined
    const timer = setTimeout(() => setPressed(undefined), FOLLOWS_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [pressed])
  return [checked === undefined ? undefined : (pressed ?? checked), setPressed]
}

/** A setting that is on or off. */
export const Switch = ({
  label,
  hint,
  error: given,
  faultsAt,
  checked,
  onChange,
  ...rest
}: FieldProps & ComponentProps<'input'>) => {
  const id = useId()
  const [shown, setPressed] = usePressed(checked)
  const [error, onInput] = useOpenFault(faultsAt ?? rest.name, given)
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={classes['switch']} onInput={onInput}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        {...rest}
        {...(shown !== undefined && { checked: shown })}
        onChange={(event) => {
          if (checked !== undefined) setPressed(event.currentTarget.checked)
          onChange?.(event)
        }}
        aria-describedby={described === '' ? undefined : described}
        aria-invalid={error === undefined ? undefined : true}
      />
      <div>
        <label htmlFor={id}>{label}</label>
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
    </div>
  )
}

import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { LOOK_PARTS, type LookField, type LookName } from './look-fields.ts'
import type { LookValues } from './look-values.ts'

interface Given {
  values: LookValues
  /** What the service said of a look when it was saved. */
  faultOf: (name: LookName) => string | undefined
  onChange: (name: LookName, value: string) => void
}

function LookInput({ field, values, faultOf, onChange }: Given & { field: LookField }) {
  const value = values[field.name]
  const common = { label: field.label, hint: field.hint, error: faultOf(field.name) }
  switch (field.kind) {
    case 'choice':
      return (
        <Select
          {...common}
          value={value}
          options={field.choices}
          onChange={(event) => onChange(field.name, event.target.value)}
        />
      )
    case 'switch':
      return (
        <Switch
          label={field.label}
          hint={field.hint}
          checked={value === 'true'}
          onChange={(event) => onChange(field.name, String(event.target.checked))}
        />
      )
    case 'long':
      return (
        <TextArea
          {...common}
          value={value}
          maxLength={field.maxLength}
          onChange={(event) => onChange(field.name, event.target.value)}
        />
      )
    case 'text':
      return (
        <TextInput
          {...common}
          value={value}
          maxLength={field.maxLength}
          placeholder={field.placeholder}
          onChange={(event) => onChange(field.name, event.target.value)}
        />
      )
  }
}

/** The looks and the voice of a widget. The first part is open. */
export function LookInputs(given: Given) {
  return LOOK_PARTS.map(({ title, fields }, at) => (
    <details key={title} open={at === 0 || fields.some(({ name }) => given.faultOf(name) !== undefined)}>
      <summary>{title}</summary>
      {fields.map((field) => (
        <LookInput key={field.name} field={field} {...given} />
      ))}
    </details>
  ))
}

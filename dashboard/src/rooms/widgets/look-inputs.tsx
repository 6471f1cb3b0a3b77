import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { LOOK_PARTS, type LookField, type LookName } from './look-fields.ts'
import type { LookValues } from './look-values.ts'

interface Given {
  values: LookValues
  /** Whether the service refused a look when it was saved. */
  hasFault: (name: LookName) => boolean
  onChange: (name: LookName, value: string) => void
}

function LookInput({ field, values, onChange }: Omit<Given, 'hasFault'> & { field: LookField }) {
  const value = values[field.name]
  const common = { label: field.label, hint: field.hint, faultsAt: `config.${field.name}` }
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
          {...common}
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
export function LookInputs({ hasFault, ...given }: Given) {
  return LOOK_PARTS.map(({ title, fields }, at) => (
    <details key={title} open={at === 0 || fields.some(({ name }) => hasFault(name))}>
      <summary>{title}</summary>
      {fields.map((field) => (
        <LookInput key={field.name} field={field} {...given} />
      ))}
    </details>
  ))
}

import { Select, TextArea, TextInput } from '../../ui/field.tsx'
import type { PlatformField } from './platform-field.ts'
import { controlOf, type StoredIntegration } from './platform-values.ts'
import { shownValue, writePairs } from './read-pairs.ts'

/** Most characters of a credential, as the service takes it. */
const MOST_CHARACTERS = 8_000

function FieldInput({ field, stored }: { field: PlatformField; stored: StoredIntegration | undefined }) {
  const value = stored?.config[field.name]
  const kept =
    field.isSecret && stored?.has_credentials === true ? 'Leave it empty to keep what is stored.' : ''
  const hint = [field.hint ?? '', kept].filter((sentence) => sentence !== '').join(' ')
  if (field.choices !== undefined) {
    const { choices } = field
    const shown = shownValue(value)
    const isKnown = shown === '' || choices.some(([choice]) => choice === shown)
    return (
      <Select
        label={field.label}
        name={controlOf(field)}
        // A value that a script has set stays one.
        options={isKnown ? choices : [...choices, [shown, shown]]}
        defaultValue={shown === '' ? choices[0]?.[0] : shown}
        hint={field.hint}
      />
    )
  }
  return (
    <TextInput
      label={field.label}
      name={controlOf(field)}
      type={field.isSecret ? 'password' : 'text'}
      autoComplete={field.isSecret ? 'new-password' : 'off'}
      spellCheck={false}
      maxLength={MOST_CHARACTERS}
      defaultValue={field.isSecret ? '' : shownValue(value)}
      hint={hint === '' ? undefined : hint}
    />
  )
}

/** The fields of a platform, and lines for everything else that its program needs. */
export function PlatformInputs({
  fields,
  stored,
  elsewhere = [],
}: {
  fields: readonly PlatformField[]
  stored?: StoredIntegration | undefined
  /** Settings that have fields of their own. */
  elsewhere?: readonly string[] | undefined
}) {
  const known = new Set([...elsewhere, ...fields.map(({ name }) => name)])
  const others = Object.entries(stored?.config ?? {}).filter(([name]) => !known.has(name))
  return (
    <>
      {fields.map((field) => (
        <FieldInput key={controlOf(field)} field={field} stored={stored} />
      ))}
      <details open={fields.length === 0}>
        <summary>
          {fields.length === 0 ? 'Settings and credentials' : 'Other settings and credentials'}
        </summary>
        <TextArea
          label="Settings"
          name="config"
          rows={3}
          spellCheck={false}
          defaultValue={writePairs(Object.fromEntries(others))}
          hint="One per line, as name = value. Everyone who may read this record sees them: no secrets."
        />
        <TextArea
          label="Credentials"
          name="credentials"
          rows={3}
          spellCheck={false}
          autoComplete="off"
          hint={
            stored?.has_credentials === true
              ? 'Stored, and never shown. New ones replace them all; leave this empty to keep them.'
              : 'One per line, as name = value. Stored encrypted, and never shown again.'
          }
        />
      </details>
    </>
  )
}

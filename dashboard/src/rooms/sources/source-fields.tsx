import { useState } from 'react'
import { useConnectablePlatforms } from '../../api/source-connections.ts'
import { GuidePage } from '../../ui/guide-page.tsx'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { AccountFields } from './account-fields.tsx'
import classes from './new-source-page.module.css'
import type { SourceField } from './source-form.ts'
import { controlOf, formOf, type OfferedType } from './source-types.ts'

/** Most characters of a token, as the service takes it. */
const MOST_CHARACTERS = 4_000

/** The control of a setting, or of a credential. */
export function FieldInput({
  field,
  shown = '',
}: {
  field: SourceField
  /** What it says at first; of a switch that is on: `on`. */
  shown?: string
}) {
  const { label, hint, placeholder, kind, isRequired = false, credential } = field
  const given = { label, hint, placeholder, name: controlOf(field) }
  if (kind === 'switch') return <Switch {...given} defaultChecked={shown === 'on'} />
  if (kind === 'patterns') return <TextArea {...given} defaultValue={shown} />
  if (kind === 'lines') return <TextArea {...given} defaultValue={shown} required={isRequired} />
  if (kind === 'choice') {
    const first = field.choices?.[0]?.[0]
    return (
      <Select
        label={label}
        hint={hint}
        name={given.name}
        options={field.choices ?? []}
        defaultValue={shown === '' ? first : shown}
      />
    )
  }
  return (
    <TextInput
      {...given}
      defaultValue={shown}
      type={credential === 'secret' ? 'password' : kind}
      autoComplete={credential === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      required={isRequired}
      maxLength={MOST_CHARACTERS}
    />
  )
}

/** What a type of source is asked for, and where the guide tells more. */
export function SourceFields({ type, baseId }: { type: OfferedType; baseId: string }) {
  const { fields: all, guide, connects } = formOf(type)
  const platforms = useConnectablePlatforms(baseId)
  const platform = platforms.data?.find((one) => one.platform === connects && one.is_set_up)
  const [wantsKey, setWantsKey] = useState(false)
  const isConnected = platform !== undefined && !wantsKey
  const needsKey = all.some(({ credential, isRequired }) => credential !== undefined && isRequired === true)
  const fields = isConnected
    ? all.filter(({ credential, isForKey }) => credential === undefined && isForKey !== true)
    : all
  const patterns = fields.filter(({ kind }) => kind === 'patterns')
  const hasCredentials = fields.some(({ credential }) => credential !== undefined)
  return (
    <>
      {platform !== undefined && (
        <Select
          label="Read with"
          options={[
            ['account', `An account at ${platform.name}, connected with a button`],
            ['key', needsKey ? 'A key' : 'A key, or without signing in'],
          ]}
          value={wantsKey ? 'key' : 'account'}
          onChange={({ target }) => setWantsKey(target.value === 'key')}
        />
      )}
      {isConnected && <AccountFields baseId={baseId} platform={platform.platform} name={platform.name} />}
      {fields
        .filter(({ kind }) => kind !== 'patterns')
        .map((field) => (
          <FieldInput key={controlOf(field)} field={field} />
        ))}
      {(hasCredentials || isConnected) && (
        <div className={classes['about']}>
          <p>Credentials are stored encrypted, and never shown again.</p>
          <GuidePage file={guide} />
        </div>
      )}
      {patterns.length > 0 && (
        <details className={classes['more']}>
          <summary>Include and exclude</summary>
          {patterns.map((field) => (
            <FieldInput key={controlOf(field)} field={field} />
          ))}
        </details>
      )}
    </>
  )
}

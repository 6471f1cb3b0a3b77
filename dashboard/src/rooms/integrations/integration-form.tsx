import type { KnowledgeBase } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'
import type { Integration, IntegrationKind, IntegrationValues } from './integration-kinds.ts'
import { PlatformInputs } from './platform-inputs.tsx'
import { platformValuesOf } from './platform-values.ts'

/** Connects an integration, or changes one. Its platform is fixed once it is connected. */
export function IntegrationForm({
  kind,
  base,
  stored,
  onSaved,
}: {
  kind: IntegrationKind
  base: KnowledgeBase
  /** The one that is changed; undefined for a new one. */
  stored?: Integration | undefined
  onSaved: () => void
}) {
  const [first = 'other'] = Object.keys(kind.platforms)
  const [platform, setPlatform] = useState(stored?.platform ?? first)
  const [fault, setFault] = useState<unknown>()
  const fields = kind.platforms[platform]?.fields ?? []
  const save = useRecordChange(
    kind.key,
    base.id,
    (api, given: IntegrationValues) =>
      stored === undefined
        ? kind.create(api, base.id, given)
        : kind.update(api, stored.id, {
            name: given.name,
            config: given.config,
            credentials: given.credentials,
            description: given.description,
          }),
    {
      says: stored === undefined ? `The ${kind.noun} was added.` : `The ${kind.noun} was saved.`,
      isInForm: true,
    },
  )
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    try {
      const values = platformValuesOf(form, fields, stored)
      setFault(undefined)
      save.mutate(
        {
          ...values,
          name: textOf(form, 'name'),
          platform,
          handles: form.get('handles') === 'chats' ? 'chats' : 'tickets',
          description: textOrNull(form, 'description'),
          acknowledge_internal: form.get('acknowledge') === 'on',
        },
        { onSuccess: onSaved },
      )
    } catch (error) {
      setFault(error)
    }
  }
  const isNew = stored === undefined
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={LIMITS.name}
        defaultValue={stored?.name ?? ''}
      />
      {isNew && Object.keys(kind.platforms).length > 0 && (
        <Select
          label="Platform"
          value={platform}
          options={Object.entries(kind.platforms).map(([value, { name }]) => [value, name] as const)}
          onChange={(event) => setPlatform(event.target.value)}
          hint="Cannot be changed later."
        />
      )}
      {isNew && kind.key === 'helpdesk-integrations' && (
        <Select
          label="Answers"
          name="handles"
          options={[
            ['tickets', 'Tickets: one answer each, then a person'],
            ['chats', 'Chats: up to 5 answers, then a person'],
          ]}
          hint="Cannot be changed later."
        />
      )}
      {kind.key === 'agent-apps' && (
        <TextArea
          label="What it does"
          name="description"
          rows={2}
          maxLength={LIMITS.description}
          defaultValue={stored?.description ?? ''}
        />
      )}
      <PlatformInputs key={platform} fields={fields} stored={stored} />
      {isNew && kind.key === 'bots' && base.type === 'internal' && (
        <Switch
          label="I know that everyone in its channel is answered"
          name="acknowledge"
          required
          hint="This knowledge base is internal. A bot does not check who asks, so whoever is in the channel gets answers, from restricted documents too."
        />
      )}
      {fault !== undefined && <Fault error={fault} />}
      {save.isError && fault === undefined && <Fault error={save.error} />}
      <Button look="primary" type="submit" disabled={save.isPending}>
        {isNew ? kind.newLabel : 'Save'}
      </Button>
    </form>
  )
}

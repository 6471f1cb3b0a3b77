import type { KnowledgeBase } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'
import { ActionFields } from './action-fields.tsx'
import { typedActions } from './declared-actions.ts'
import type { Integration, IntegrationKind, IntegrationValues } from './integration-kinds.ts'
import type { PlatformField } from './platform-field.ts'
import { PlatformInputs } from './platform-inputs.tsx'
import { platformValuesOf } from './platform-values.ts'

/** What integrations of some kinds are asked for when they are added, or connected by their first credentials. */
function NewFields({
  kind,
  base,
  platform,
  stored,
}: {
  kind: IntegrationKind
  base: KnowledgeBase
  platform: string
  stored: Integration | undefined
}) {
  const isConnected = stored !== undefined && (stored.has_credentials || !stored.enabled)
  if (kind.key === 'helpdesk-integrations' && stored === undefined) {
    return (
      <Select
        key={platform}
        label="Answers"
        name="handles"
        defaultValue={kind.platforms[platform]?.handles ?? 'tickets'}
        options={[
          ['tickets', 'Tickets: one answer each, then a person'],
          ['chats', 'Chats: up to 5 answers, then a person'],
        ]}
        hint="Cannot be changed later."
      />
    )
  }
  if (kind.key !== 'bots' || base.type !== 'internal' || isConnected) return null
  return (
    <Switch
      label="I know that everyone in its channel is answered"
      name="acknowledge"
      required={stored === undefined}
      hint="This knowledge base is internal. A bot does not check who asks, so whoever is in the channel gets answers, from restricted documents too."
    />
  )
}

const isAgent = ({ key }: IntegrationKind) => key === 'agent-apps'

/** Settings of a kind that have fields of their own. */
const OWN_FIELDS: Record<string, readonly string[]> = { 'agent-apps': ['actions'] }

const Actions = ({ kind, stored }: { kind: IntegrationKind; stored: Integration | undefined }) =>
  isAgent(kind) && <ActionFields config={stored?.config} />

/** Its name, and what an agent app does. */
function NameFields({ kind, stored }: { kind: IntegrationKind; stored: Integration | undefined }) {
  return (
    <>
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={LIMITS.name}
        defaultValue={stored?.name ?? ''}
      />
      {kind.key === 'agent-apps' && (
        <TextArea
          label="What it does"
          name="description"
          rows={2}
          maxLength={LIMITS.description}
          defaultValue={stored?.description ?? ''}
        />
      )}
    </>
  )
}

/** The declared actions of an agent app are settings with rows of their own. */
function valuesWithActions(
  form: FormData,
  values: ReturnType<typeof platformValuesOf>,
  stored: Integration | undefined,
  hasActions: boolean,
): ReturnType<typeof platformValuesOf> {
  if (!hasActions) return values
  const { actions: _shown, ...config } = values.config
  const actions = typedActions(form)
  if (actions.length > 0) return { ...values, config: { ...config, actions } }
  const had = (stored?.config['actions'] ?? null) !== null
  return { ...values, config: had ? { ...config, actions: null } : config }
}

/** What was typed. @throws Error with a sentence for the person */
const valuesOf = (
  form: FormData,
  platform: string,
  fields: readonly PlatformField[],
  stored: Integration | undefined,
  hasActions: boolean,
): IntegrationValues => ({
  ...valuesWithActions(form, platformValuesOf(form, fields, stored), stored, hasActions),
  name: textOf(form, 'name'),
  platform,
  handles: form.get('handles') === 'chats' ? 'chats' : 'tickets',
  description: textOrNull(form, 'description'),
  acknowledge_internal: form.get('acknowledge') === 'on',
})

/** Makes an integration, or changes the stored one. */
function useSave(kind: IntegrationKind, baseId: string, stored: Integration | undefined) {
  return useRecordChange(
    kind.key,
    baseId,
    (api, given: IntegrationValues) => {
      if (stored === undefined) return kind.create(api, baseId, given)
      const { name, config, credentials, description, acknowledge_internal } = given
      return kind.update(api, stored.id, { name, config, credentials, description, acknowledge_internal })
    },
    {
      says: stored === undefined ? `The ${kind.noun} was added.` : `The ${kind.noun} was saved.`,
      isInForm: true,
    },
  )
}

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
  const hasActions = isAgent(kind)
  const save = useSave(kind, base.id, stored)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    try {
      const values = valuesOf(new FormData(event.currentTarget), platform, fields, stored, hasActions)
      setFault(undefined)
      save.mutate(values, { onSuccess: onSaved })
    } catch (error) {
      setFault(error)
    }
  }
  const isNew = stored === undefined
  const told = fault ?? save.error ?? undefined
  return (
    <Form hasFailed={told !== undefined} onSubmit={submit}>
      <NameFields kind={kind} stored={stored} />
      {isNew && Object.keys(kind.platforms).length > 0 && (
        <Select
          label="Platform"
          value={platform}
          options={Object.entries(kind.platforms).map(([value, { name }]) => [value, name] as const)}
          onChange={(event) => setPlatform(event.target.value)}
          hint="Cannot be changed later."
        />
      )}
      <Actions kind={kind} stored={stored} />
      <PlatformInputs key={platform} fields={fields} stored={stored} elsewhere={OWN_FIELDS[kind.key]} />
      <NewFields kind={kind} base={base} platform={platform} stored={stored} />
      {told !== undefined && <Fault error={told} />}
      <Button look="primary" type="submit" disabled={save.isPending}>
        {isNew ? kind.newLabel : 'Save'}
      </Button>
    </Form>
  )
}

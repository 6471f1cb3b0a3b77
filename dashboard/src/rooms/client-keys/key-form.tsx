import type { ClientKey, ClientKeyChange, CreatedClientKey } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import type { FormEvent } from 'react'
import { useRecordChange, useRecords } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { linesOf, textOf } from '../../ui/form-values.ts'

const groupsIn = (form: FormData): string[] =>
  form.getAll('group').filter((id): id is string => typeof id === 'string')

/** The source groups to choose from; nothing where the base has none. */
function GroupChoice({ baseId, chosen }: { baseId: string; chosen: readonly string[] }) {
  const groups = useRecords('source-groups', baseId, (api, page, options) =>
    api.listSourceGroups(baseId, page, options),
  )
  if (groups.data === undefined || groups.data.length === 0) return null
  return (
    <fieldset>
      <legend>Source groups that it may use</legend>
      <p>None chosen: the whole knowledge base.</p>
      {groups.data.map(({ id, name }) => (
        <Switch key={id} label={name} name="group" value={id} defaultChecked={chosen.includes(id)} />
      ))}
      {/* That they were there to choose from: a form that was sent before them chooses nothing. */}
      <input type="hidden" name="offered" value={groups.data.map(({ id }) => id).join(' ')} />
    </fieldset>
  )
}

const Origins = ({ origins }: { origins: readonly string[] }) => (
  <TextArea
    label="Allowed origins"
    name="allowed_origins"
    rows={3}
    defaultValue={origins.join('\n')}
    hint="One per line, such as https://docs.example.com or https://*.example.com. Empty: every page."
  />
)

/** Makes a client key. */
export function NewKeyForm({ baseId, onMade }: { baseId: string; onMade: (made: CreatedClientKey) => void }) {
  const make = useRecordChange(
    'client-keys',
    baseId,
    (api, form: FormData) =>
      api.createClientKey(baseId, {
        name: textOf(form, 'name'),
        kind: form.get('kind') === 'secret' ? 'secret' : 'public',
        allow_mcp_access: form.get('mcp') === 'on',
        allowed_origins: linesOf(form, 'allowed_origins'),
        allowed_source_group_ids: groupsIn(form),
      }),
    { isInForm: true },
  )
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    make.mutate(new FormData(event.currentTarget), { onSuccess: onMade })
  }
  return (
    <Form hasFailed={make.isError} onSubmit={submit}>
      <TextInput label="Name" name="name" required maxLength={LIMITS.name} />
      <Select
        label="For"
        name="kind"
        options={[
          ['public', 'A page or an app: a public key'],
          ['secret', 'A server: a client id and a secret'],
        ]}
      />
      <Origins origins={[]} />
      <GroupChoice baseId={baseId} chosen={[]} />
      <Switch label="Allow MCP access" name="mcp" defaultChecked hint="Cannot be changed later." />
      {make.isError && <Fault error={make.error} />}
      <Button look="primary" type="submit" disabled={make.isPending}>
        Create key
      </Button>
    </Form>
  )
}

/**
 * What the form changes. Source groups only if others are chosen now than were at first: a key that is limited to a group which is not
 * shown here stays limited.
 */
export function changeOf(key: ClientKey, form: FormData): ClientKeyChange {
  const chosen = groupsIn(form)
  const shown = textOf(form, 'offered')
    .split(' ')
    .filter((id) => key.allowed_source_group_ids.includes(id))
  const isSame = chosen.length === shown.length && shown.every((id) => chosen.includes(id))
  return {
    name: textOf(form, 'name'),
    allowed_origins: linesOf(form, 'allowed_origins'),
    ...(!isSame && { allowed_source_group_ids: chosen }),
  }
}

/** Changes what of a client key can be changed. */
export function ChangeKeyForm({
  baseId,
  clientKey,
  onSaved,
}: {
  baseId: string
  clientKey: ClientKey
  onSaved: () => void
}) {
  const save = useRecordChange(
    'client-keys',
    baseId,
    (api, change: ClientKeyChange) => api.updateClientKey(clientKey.id, change),
    { says: 'The key was saved.', isInForm: true },
  )
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    save.mutate(changeOf(clientKey, new FormData(event.currentTarget)), { onSuccess: onSaved })
  }
  return (
    <Form hasFailed={save.isError} onSubmit={submit}>
      <TextInput label="Name" name="name" required maxLength={LIMITS.name} defaultValue={clientKey.name} />
      <Origins origins={clientKey.allowed_origins} />
      <GroupChoice baseId={baseId} chosen={clientKey.allowed_source_group_ids} />
      <p>
        {clientKey.allow_mcp_access ? 'MCP access is allowed' : 'MCP access is not allowed'}, which cannot be
        changed. Pages and programs follow with their next question.
      </p>
      {save.isError && <Fault error={save.error} />}
      <Button look="primary" type="submit" disabled={save.isPending}>
        Save the key
      </Button>
    </Form>
  )
}

import { CitewellError, type Widget, type WidgetChange } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { FieldFaultsProvider, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { LOOK_FIELDS } from './look-fields.ts'
import { LookInputs } from './look-inputs.tsx'
import { changeOf, valuesOf, type LookValues } from './look-values.ts'
import classes from './widgets.module.css'

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What the form calls a field, by its path in the request. */
function labelOf(path: string): string | undefined {
  const [field, look] = path.split('.')
  if (field === 'config') return LOOK_FIELDS.find(({ name }) => name === look)?.label
  return field === 'allowed_origins' ? 'Allowed origins' : field === 'name' ? 'Name' : undefined
}

/** The settings of a widget. What is typed is shown beside it before it is saved. */
export function WidgetForm({
  widget,
  values,
  blocked,
  onChange,
  onSaved,
}: {
  widget: Widget
  values: LookValues
  blocked: string | undefined
  onChange: (values: LookValues) => void
  onSaved: (widget: Widget) => void
}) {
  const [name, setName] = useState(widget.name)
  const [origins, setOrigins] = useState(widget.allowed_origins.join('\n'))
  const [known, setKnown] = useState(widget)
  // What others have saved is shown where nothing is typed; otherwise Save would take it back.
  if (widget !== known) {
    setKnown(widget)
    if (name.trim() === known.name) setName(widget.name)
    if (linesOf(origins).join('\n') === known.allowed_origins.join('\n'))
      setOrigins(widget.allowed_origins.join('\n'))
  }
  const update = (says: string | undefined, isInForm: boolean) => ({ says, isInForm })
  const save = useRecordChange(
    'widgets',
    widget.knowledge_base_id,
    (api, given: WidgetChange) => api.updateWidget(widget.id, given),
    update('The widget was saved. Pages show the change when they are next loaded.', true),
  )
  const turn = useRecordChange(
    'widgets',
    widget.knowledge_base_id,
    (api, enabled: boolean) => api.updateWidget(widget.id, { enabled }),
    update(undefined, false),
  )
  const config = changeOf(values, valuesOf(widget.config))
  const details = save.error instanceof CitewellError ? (save.error.details ?? []) : []
  const areOriginsChanged = linesOf(origins).join('\n') !== widget.allowed_origins.join('\n')
  const isDirty = name.trim() !== widget.name || areOriginsChanged || Object.keys(config).length > 0
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    save.mutate(
      {
        ...(name.trim() !== widget.name && { name: name.trim() }),
        ...(areOriginsChanged && { allowed_origins: linesOf(origins) }),
        ...(Object.keys(config).length > 0 && { config }),
      },
      {
        onSuccess: (saved) => {
          setOrigins(saved.allowed_origins.join('\n'))
          onSaved(saved)
        },
      },
    )
  }
  function discard(): void {
    setName(widget.name)
    setOrigins(widget.allowed_origins.join('\n'))
    onChange(valuesOf(widget.config))
    save.reset()
  }
  return (
    <Card title="Settings">
      <Form hasFailed={save.isError} isSaved={!isDirty} onSubmit={submit}>
        <fieldset disabled={blocked !== undefined} className={classes['form']}>
          <Switch
            label="Enabled"
            hint="Switched off, it disappears from pages and its questions are refused."
            checked={turn.isPending ? turn.variables : widget.enabled}
            onChange={(event) => turn.mutate(event.target.checked, { onSuccess: onSaved })}
          />
          <FieldFaultsProvider value={save.error}>
            <TextInput
              label="Name"
              value={name}
              required
              maxLength={LIMITS.name}
              faultsAt="name"
              onChange={(event) => setName(event.target.value)}
            />
            <TextArea
              label="Allowed origins"
              rows={3}
              spellCheck={false}
              value={origins}
              faultsAt="allowed_origins"
              onChange={(event) => setOrigins(event.target.value)}
              hint="One per line, such as https://docs.example.com or https://*.example.com. Leave empty to allow every page. This dashboard can always show it."
            />
            <LookInputs
              values={values}
              hasFault={(look) => details.some(({ path }) => path === `config.${look}`)}
              onChange={(look, value) => onChange({ ...values, [look]: value })}
            />
          </FieldFaultsProvider>
          {save.isError && <Fault error={save.error} nameOf={labelOf} />}
          <div className={[classes['bar'], isDirty && classes['unsaved']].filter(Boolean).join(' ')}>
            <Button look="primary" type="submit" disabled={save.isPending || !isDirty}>
              Save
            </Button>
            {isDirty && <Button onClick={discard}>Discard</Button>}
            <span role="status">{isDirty ? 'Not saved yet' : ''}</span>
          </div>
        </fieldset>
      </Form>
      {blocked !== undefined && <p>{blocked}</p>}
    </Card>
  )
}

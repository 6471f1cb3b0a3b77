import { CitewellError, type Widget, type WidgetChange } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { useState, type FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { LookInputs } from './look-inputs.tsx'
import { changeOf, valuesOf, type LookValues } from './look-values.ts'
import classes from './widgets.module.css'

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

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
    update('The widget was saved. Pages show it from their next visit on.', true),
  )
  const turn = useRecordChange(
    'widgets',
    widget.knowledge_base_id,
    (api, enabled: boolean) => api.updateWidget(widget.id, { enabled }),
    update(undefined, false),
  )
  const config = changeOf(values, valuesOf(widget.config))
  const details = save.error instanceof CitewellError ? (save.error.details ?? []) : []
  const faultAt = (path: string) =>
    details.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message
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
          <TextInput
            label="Name"
            value={name}
            required
            maxLength={LIMITS.name}
            error={faultAt('name')}
            onChange={(event) => setName(event.target.value)}
          />
          <TextArea
            label="Allowed origins"
            rows={3}
            spellCheck={false}
            value={origins}
            error={faultAt('allowed_origins')}
            onChange={(event) => setOrigins(event.target.value)}
            hint="One a line, such as https://docs.example.com or https://*.example.com. Empty: every page. This dashboard may always show it."
          />
          <LookInputs
            values={values}
            faultOf={(look) => faultAt(`config.${look}`)}
            onChange={(look, value) => onChange({ ...values, [look]: value })}
          />
          {save.isError && <Fault error={save.error} />}
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

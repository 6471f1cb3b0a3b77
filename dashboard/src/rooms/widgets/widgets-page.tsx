import type { Widget } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Switch, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { WidgetSeen } from '../../ui/widget-seen.tsx'
import { NoKeyNotice } from './no-key-notice.tsx'
import { widgetSnippets } from './widget-snippets.ts'

function WidgetCard({ widget, blocked }: { widget: Widget; blocked: string | undefined }) {
  const { id, knowledge_base_id: baseId, name, allowed_origins: origins } = widget
  const turn = useRecordChange('widgets', baseId, (api, enabled: boolean) =>
    api.updateWidget(id, { enabled }),
  )
  const [html] = widgetSnippets({ origin: location.origin, baseId, widgetId: id })
  return (
    <Card
      title={name}
      aside={
        <Link to="/kb/$baseId/widgets/$widgetId" params={{ baseId, widgetId: id }}>
          Looks, preview and other ways to embed it
        </Link>
      }
    >
      <p>
        <WidgetSeen widget={widget} />
      </p>
      <Switch
        label="Enabled"
        aria-label={`${name}: enabled`}
        hint="Switched off, it disappears from pages and its questions are refused."
        checked={turn.isPending ? turn.variables : widget.enabled}
        disabled={blocked !== undefined}
        onChange={(event) => turn.mutate(event.target.checked)}
      />
      <CopyField label="Paste this into your pages" text={html?.text ?? ''} />
      <p>Allowed origins: {origins.length === 0 ? 'every page' : origins.join(', ')}.</p>
    </Card>
  )
}

/** The website widgets of a knowledge base. */
export function WidgetsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/widgets' })
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const [isMaking, setMaking] = useState(false)
  const internal = 'An internal knowledge base has no widget: it answers members only.'
  const blocked = whyBlocked(base.data, { internal })
  const widgets = useRecords('widgets', baseId, (api, page, options) =>
    api.listWidgets(baseId, page, options),
  )
  const make = useRecordChange('widgets', baseId, (api, name: string) => api.createWidget(baseId, { name }), {
    isInForm: true,
  })
  function begin(): void {
    make.reset()
    setMaking(true)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    make.mutate(textOf(new FormData(event.currentTarget), 'name'), {
      onSuccess: ({ id }) =>
        void navigate({ to: '/kb/$baseId/widgets/$widgetId', params: { baseId, widgetId: id } }),
    })
  }
  return (
    <Page
      title="Widgets"
      lead="Asking and searching on your own website, with one script tag in its pages."
      actions={
        <Button look="primary" blocked={blocked} onClick={begin}>
          New widget
        </Button>
      }
    >
      <NoKeyNotice base={base.data} />
      <Loaded query={widgets}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              says={
                base.data?.type === 'internal'
                  ? internal
                  : 'No widgets yet. Create one for each of your sites.'
              }
            />
          ) : (
            list.map((widget) => <WidgetCard key={widget.id} widget={widget} blocked={blocked} />)
          )
        }
      </Loaded>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New widget">
        <Form hasFailed={make.isError} onSubmit={submit}>
          <TextInput
            label="Name"
            name="name"
            required
            maxLength={LIMITS.name}
            hint="For example, the site it is for."
          />
          {make.isError && <Fault error={make.error} />}
          <Button look="primary" type="submit" disabled={make.isPending}>
            Create widget
          </Button>
        </Form>
      </Dialog>
    </Page>
  )
}

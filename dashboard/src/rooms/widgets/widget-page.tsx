import type { Widget } from '@citewell/sdk/management'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Columns } from '../../ui/columns.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { PreviewFrame } from '../../ui/preview-frame.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { WidgetSeen } from '../../ui/widget-seen.tsx'
import { previewQuery, valuesOf, withOthers, type LookValues } from './look-values.ts'
import { NoKeyNotice } from './no-key-notice.tsx'
import { WidgetForm } from './widget-form.tsx'
import { widgetSnippets } from './widget-snippets.ts'

/** Milliseconds without typing before the preview follows. */
const FOLLOW_MS = 600

/** A value, once it has stayed the same for a while. */
function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), FOLLOW_MS)
    return () => clearTimeout(timer)
  }, [value])
  return useDeferredValue(settled)
}

function Preview({ widget, values }: { widget: Widget; values: LookValues }) {
  const settled = useSettled(values)
  return (
    <PreviewFrame
      title="Preview of the widget"
      query={previewQuery(widget, settled)}
      says="Includes unsaved changes. Questions asked here count towards the monthly quota."
    />
  )
}

function WidgetScreen({ widget, blocked }: { widget: Widget; blocked: string | undefined }) {
  const client = useQueryClient()
  const [values, setValues] = useState(() => valuesOf(widget.config))
  const [known, setKnown] = useState(widget)
  if (widget !== known) {
    setKnown(widget)
    setValues(withOthers(values, valuesOf(known.config), valuesOf(widget.config)))
  }
  const baseId = widget.knowledge_base_id
  return (
    <>
      <Columns>
        <WidgetForm
          widget={widget}
          values={values}
          blocked={blocked}
          onChange={setValues}
          onSaved={(saved) => client.setQueryData(['widget', widget.id], saved)}
        />
        <Card title="Preview">
          {widget.enabled && blocked === undefined ? (
            <Preview widget={widget} values={values} />
          ) : (
            <p>
              {blocked ?? 'The widget is switched off, so pages do not show it. Switch it on to see it here.'}
            </p>
          )}
        </Card>
      </Columns>
      <Card title="Put it on your site">
        <p>
          <WidgetSeen widget={widget} />
        </p>
        <Snippets
          label="Where you put it"
          snippets={widgetSnippets({ origin: location.origin, baseId, widgetId: widget.id })}
        />
      </Card>
    </>
  )
}

/** One widget: its settings beside a preview, and the lines to paste. */
export function WidgetPage() {
  const { baseId, widgetId } = useParams({ from: '/kb/$baseId/widgets/$widgetId' })
  const api = useApi()
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const [isLeaving, setLeaving] = useState(false)
  const blocked = whyBlocked(base.data)
  const widget = useQuery({
    queryKey: ['widget', widgetId],
    queryFn: ({ signal }) => api.getWidget(widgetId, { signal }),
  })
  const remove = useRecordChange('widgets', baseId, (api) => api.deleteWidget(widgetId), {
    says: 'The widget was deleted.',
  })
  return (
    <Page
      title={widget.data?.name ?? 'Widget'}
      lead={
        <Link to="/kb/$baseId/widgets" params={{ baseId }}>
          All widgets
        </Link>
      }
      actions={
        <>
          <a
            href={`/widget/demo?knowledge_base_id=${baseId}&widget_id=${widgetId}`}
            target="_blank"
            rel="noreferrer"
          >
            See it on a page
          </a>
          <Button look="danger" blocked={blocked} onClick={() => setLeaving(true)}>
            Delete the widget
          </Button>
        </>
      }
    >
      <NoKeyNotice base={base.data} />
      <Loaded query={widget}>{(loaded) => <WidgetScreen widget={loaded} blocked={blocked} />}</Loaded>
      <ConfirmDialog
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        title={`Delete “${widget.data?.name ?? ''}”`}
        action="Delete the widget"
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ to: '/kb/$baseId/widgets', params: { baseId } }),
          })
        }
      >
        <p>Pages with its id no longer show it, and its settings are gone.</p>
      </ConfirmDialog>
    </Page>
  )
}

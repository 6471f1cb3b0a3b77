import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { lastDays, useAnalytics } from '../../api/analytics.ts'
import { percent } from '../../ui/percent.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Figures } from '../../ui/figures.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { fieldsOf, FormFields } from './form-fields.tsx'

/** Days that the results are of. */
const DAYS = 30

/** What became of the support forms, over all form deflectors together. */
function Results({ baseId, isAllowed }: { baseId: string; isAllowed: boolean }) {
  const [days] = useState(() => lastDays(DAYS))
  const analytics = useAnalytics(baseId, days, isAllowed)
  if (!isAllowed) return null
  return (
    <Card title={`Results of the last ${DAYS} days`}>
      <Loaded query={analytics}>
        {({ deflection }) => (
          <>
            <Figures
              figures={[
                { name: 'Got an answer', value: count(deflection.answered) },
                { name: 'Solved', value: count(deflection.deflected) },
                { name: 'Sent anyway', value: count(deflection.submitted) },
                {
                  name: 'Deflection rate',
                  value: percent(deflection.deflection_rate),
                  note: 'of those with a known outcome',
                },
              ]}
            />
            <p>
              A reader who leaves the page says nothing: that outcome stays unknown. The figures are of all
              forms of this knowledge base together.
            </p>
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** Support forms that offer an answer before a request is sent. */
export function FormDeflectorsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/forms' })
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const [isMaking, setMaking] = useState(false)
  const blocked = whyBlocked(base.data, {
    internal: 'An internal knowledge base answers no forms: they are for readers.',
  })
  const forms = useRecords('form-deflectors', baseId, (api, page, options) =>
    api.listFormDeflectors(baseId, page, options),
  )
  const make = useRecordChange(
    'form-deflectors',
    baseId,
    (api, given: ReturnType<typeof fieldsOf>) => api.createFormDeflector(baseId, given),
    { isInForm: true },
  )
  function begin(): void {
    make.reset()
    setMaking(true)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    make.mutate(fieldsOf(new FormData(event.currentTarget)), {
      onSuccess: ({ id }) =>
        void navigate({ to: '/kb/$baseId/forms/$formId', params: { baseId, formId: id } }),
    })
  }
  return (
    <Page
      title="Form deflectors"
      lead="A support form offers an answer before the request is sent. A request is never lost."
      actions={
        <Button look="primary" blocked={blocked} onClick={begin}>
          New form deflector
        </Button>
      }
    >
      <Loaded query={forms}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              says={
                base.data?.type === 'internal'
                  ? 'An internal knowledge base answers no forms: they are for readers.'
                  : 'No form deflectors yet. One sets when a form gets an answer: the minimum length of a request, and the minimum confidence.'
              }
            >
              {base.data?.type === 'external' && (
                <CopyField
                  label="The same over the API"
                  text={`curl ${location.origin}/api/v1/knowledge-bases/${baseId}/form-deflectors -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' -d '{"name": "Contact form"}'`}
                />
              )}
            </Empty>
          ) : (
            <Table
              label="Form deflectors"
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Name',
                  of: ({ id, name }) => (
                    <Link to="/kb/$baseId/forms/$formId" params={{ baseId, formId: id }}>
                      {name}
                    </Link>
                  ),
                },
                {
                  name: 'State',
                  of: ({ enabled }) =>
                    enabled ? <Status tone="ok">On</Status> : <Status tone="quiet">Off</Status>,
                },
                { name: 'Minimum length', isNumber: true, of: (form) => count(form.min_characters) },
                { name: 'Minimum confidence', isNumber: true, of: (form) => percent(form.min_confidence) },
                { name: 'Changed', of: (form) => <Time at={form.updated_at} /> },
              ]}
            />
          )
        }
      </Loaded>
      {base.data?.type === 'external' && (
        <Results baseId={baseId} isAllowed={base.data.your_permissions.includes('config')} />
      )}
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New form deflector">
        <Form hasFailed={make.isError} onSubmit={submit}>
          <FormFields />
          {make.isError && <Fault error={make.error} />}
          <Button look="primary" type="submit" disabled={make.isPending}>
            Create form deflector
          </Button>
        </Form>
      </Dialog>
    </Page>
  )
}

import type { FormDeflector, FormDeflectorChange } from '@citewell/sdk/management'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Columns } from '../../ui/columns.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Switch } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { PreviewFrame } from '../../ui/preview-frame.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { fieldsOf, FormFields } from './form-fields.tsx'
import { formSnippets } from './form-snippets.ts'

function FormSettings({
  form,
  blocked,
  onSaved,
}: {
  form: FormDeflector
  blocked: string | undefined
  onSaved: (form: FormDeflector) => void
}) {
  const api = useApi()
  const save = useRecordChange(
    'form-deflectors',
    form.knowledge_base_id,
    (client, given: FormDeflectorChange) => client.updateFormDeflector(form.id, given),
    { isInForm: true },
  )
  const turn = useRecordChange('form-deflectors', form.knowledge_base_id, (client, enabled: boolean) =>
    client.updateFormDeflector(form.id, { enabled }),
  )
  return (
    <SaveForm
      title="Settings"
      blocked={blocked}
      record={form}
      readRecord={async () => await api.getFormDeflector(form.id)}
      changeOf={fieldsOf}
      save={async (given) => onSaved(await save.mutateAsync(given))}
      requestOf={(body) => ({ method: 'PATCH', path: `/api/v1/form-deflectors/${form.id}`, body })}
    >
      <Switch
        label="Enabled"
        hint="When this is off, the form is sent as if the deflector were not there."
        checked={turn.isPending ? turn.variables : form.enabled}
        onChange={(event) => turn.mutate(event.target.checked, { onSuccess: onSaved })}
      />
      <FormFields form={form} />
      {blocked !== undefined && <p>{blocked}</p>}
    </SaveForm>
  )
}

/** One form deflector: when it answers, what is pasted into a page, and the form itself to try. */
export function FormDeflectorPage() {
  const { baseId, formId } = useParams({ from: '/kb/$baseId/forms/$formId' })
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const blocked = whyBlocked(base.data)
  const [isLeaving, setLeaving] = useState(false)
  const form = useQuery({
    queryKey: ['form-deflector', formId],
    queryFn: ({ signal }) => api.getFormDeflector(formId, { signal }),
  })
  const remove = useRecordChange('form-deflectors', baseId, (api) => api.deleteFormDeflector(formId), {
    says: 'The form deflector was deleted.',
  })
  return (
    <Page
      title={form.data?.name ?? 'Form deflector'}
      lead={
        <Link to="/kb/$baseId/forms" params={{ baseId }}>
          All form deflectors
        </Link>
      }
      actions={
        <Button look="danger" blocked={blocked} onClick={() => setLeaving(true)}>
          Delete the form deflector
        </Button>
      }
    >
      <Loaded query={form}>
        {(loaded) => (
          <>
            <Columns>
              <FormSettings
                form={loaded}
                blocked={blocked}
                onSaved={(saved) => client.setQueryData(['form-deflector', formId], saved)}
              />
              <Card title="Try it">
                {loaded.enabled && blocked === undefined ? (
                  <PreviewFrame
                    title="Preview of the support form"
                    query={{ knowledge_base_id: baseId, form_id: formId }}
                    says="Nothing is sent from here. Answers count towards the monthly quota."
                  />
                ) : (
                  <p>It is not answering now, so there is nothing to try.</p>
                )}
              </Card>
            </Columns>
            <Card title="Put it on your page">
              <Snippets
                label="Where you put it"
                snippets={formSnippets({ origin: location.origin, baseId, formId })}
              />
            </Card>
          </>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        title={`Delete “${form.data?.name ?? ''}”`}
        action="Delete the form deflector"
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ to: '/kb/$baseId/forms', params: { baseId } }),
          })
        }
      >
        <p>Forms with its id are sent without answers from now on.</p>
      </ConfirmDialog>
    </Page>
  )
}

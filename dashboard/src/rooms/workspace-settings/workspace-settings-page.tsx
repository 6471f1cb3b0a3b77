import type { Workspace, WorkspaceChange } from '@citewell/sdk/management'
import { useParams } from '@tanstack/react-router'
import {
  useMayAdminister,
  useReadWorkspaceAgain,
  useWorkspace,
  useWorkspaceChange,
} from '../../api/workspaces.ts'
import { Switch, TextInput } from '../../ui/field.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { SaveForm } from '../../ui/save-form.tsx'
import { Banner } from '../../ui/status.tsx'
import { useWhoCan } from '../../ui/who-can.ts'
import { WorkspaceTabs } from '../../ui/workspace-tabs.tsx'
import { LanguageModel } from './language-model.tsx'
import { Purge } from './purge.tsx'

const nameOf = (form: FormData): WorkspaceChange => ({ name: textOf(form, 'name') })

const retentionOf = (form: FormData): WorkspaceChange => {
  const days = textOf(form, 'retention_days')
  return {
    zero_data_retention: form.get('zero_data_retention') === 'on',
    retention_days: days === '' ? null : Number(days),
  }
}

function Forms({ workspace }: { workspace: Workspace }) {
  const change = useWorkspaceChange(workspace.id)
  const whoCan = useWhoCan()
  const mayChange = useMayAdminister(workspace.id)
  const blocked = mayChange ? undefined : `Only owners and admins of the workspace may do this. ${whoCan}`
  const path = `/api/v1/workspaces/${workspace.id}`
  const saving = {
    blocked,
    record: workspace,
    readRecord: useReadWorkspaceAgain(workspace.id),
    save: async (given: WorkspaceChange) => await change.mutateAsync(given),
    requestOf: (body: WorkspaceChange) => ({ method: 'PATCH', path, body }),
  }
  return (
    <>
      {blocked !== undefined && (
        <Banner tone="info">You see these settings, and cannot change them. {whoCan}</Banner>
      )}
      <SaveForm title="General" changeOf={nameOf} {...saving}>
        <TextInput label="Name" name="name" defaultValue={workspace.name} required maxLength={100} />
      </SaveForm>
      <LanguageModel workspace={workspace} blocked={blocked} />
      <SaveForm title="What is kept" changeOf={retentionOf} {...saving}>
        <Switch
          label="Zero data retention"
          name="zero_data_retention"
          defaultChecked={workspace.zero_data_retention}
          hint={
            <>
              On: questions and answers are not stored anywhere. Conversations, traces, knowledge gaps,
              ratings and analytics stay empty from then on, no simulation can be made, and readers cannot go
              on with a conversation later or rate an answer. Only the number of questions is counted, under
              Plan and usage. What was stored before stays until you purge it.
            </>
          }
        />
        <TextInput
          label="Days to keep conversations"
          name="retention_days"
          type="number"
          min={1}
          max={3650}
          defaultValue={workspace.retention_days ?? ''}
          hint="After this many days without a new question they are deleted, with their traces and ratings. Leave empty to keep them."
        />
      </SaveForm>
      <Purge workspace={workspace} blocked={blocked} />
    </>
  )
}

/** The settings of a workspace. */
export function WorkspaceSettingsPage() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId/settings' })
  const workspace = useWorkspace(workspaceId)
  return (
    <Page title="Workspace settings">
      <WorkspaceTabs workspaceId={workspaceId} />
      <Loaded query={workspace}>{(loaded) => <Forms workspace={loaded} />}</Loaded>
    </Page>
  )
}

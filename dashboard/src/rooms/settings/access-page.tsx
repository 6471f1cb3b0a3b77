import type { KnowledgeBase, KnowledgeBaseChange } from '@citewell/sdk/management'
import { useWhoCan } from '../../ui/who-can.ts'
import { Switch } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { ChangeType } from './change-type.tsx'
import { Grants } from './grants.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSettingsBase } from './use-settings-base.ts'

const changeOf = (form: FormData): KnowledgeBaseChange => ({
  workspace_members_can_chat: form.get('workspace_members_can_chat') === 'on',
})

/** The switch that lets every member ask, for owners and admins; what it is, for everyone else. */
function MembersSwitch({ base }: { base: KnowledgeBase }) {
  const fields = (
    <Switch
      label="Workspace members"
      name="workspace_members_can_chat"
      defaultChecked={base.workspace_members_can_chat}
      hint="On: every member of the workspace may ask it. Off: only those who are granted a permission below, and owners and admins."
    />
  )
  if (base.your_permissions.includes('edit-config')) {
    return (
      <SettingsForm base={base} title="Members" changeOf={changeOf}>
        {fields}
      </SettingsForm>
    )
  }
  return (
    <Card title="Members">
      <fieldset disabled>{fields}</fieldset>
    </Card>
  )
}

/** Who reaches a knowledge base: its type, the switch for all members, and what single members may. */
export function AccessPage() {
  const base = useSettingsBase()
  const whoCan = useWhoCan()
  return (
    <>
      {!base.your_permissions.includes('edit-config') && (
        <Banner tone="info">You see who has access, and cannot change it. {whoCan}</Banner>
      )}
      <ChangeType base={base} />
      <MembersSwitch base={base} />
      <Grants base={base} />
    </>
  )
}

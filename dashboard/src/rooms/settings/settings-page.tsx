import { useParams } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { DangerZone } from './danger-zone.tsx'
import { GeneralForm } from './general-form.tsx'
import { VoiceForm } from './voice-form.tsx'

/** The settings of a knowledge base. */
export function SettingsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/settings' })
  const base = useKnowledgeBase(baseId)
  return (
    <Page title="Settings">
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={base}>
          {(loaded) => (
            <>
              <GeneralForm base={loaded} />
              <VoiceForm base={loaded} />
              <DangerZone base={loaded} />
            </>
          )}
        </Loaded>
      </NeedsPermission>
    </Page>
  )
}

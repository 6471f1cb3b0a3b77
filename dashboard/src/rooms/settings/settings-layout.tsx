import { Outlet, useParams } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/route-tabs.tsx'

const PARTS = [
  ['/kb/$baseId/settings', 'General'],
  ['/kb/$baseId/settings/answers', 'Answers'],
  ['/kb/$baseId/settings/privacy', 'Privacy'],
  ['/kb/$baseId/settings/access', 'Access'],
  ['/kb/$baseId/settings/danger', 'Danger Zone'],
] as const

/** The settings of a knowledge base, each part under its own address. */
export function SettingsLayout() {
  const { baseId } = useParams({ from: '/kb/$baseId/settings' })
  const base = useKnowledgeBase(baseId)
  return (
    <Page
      title="Settings"
      lead={
        <>
          Everything here is also in the <a href="/docs">API reference</a>, for programs.
        </>
      }
    >
      <Tabs label="Settings" tabs={PARTS.map(([to, label]) => ({ to, label, params: { baseId } }))} />
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={base}>{() => <Outlet />}</Loaded>
      </NeedsPermission>
    </Page>
  )
}

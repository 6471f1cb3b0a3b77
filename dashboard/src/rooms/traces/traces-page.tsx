import { useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { ScreenTabs } from '../../ui/tabs.tsx'
import { ReportsList } from './reports-list.tsx'
import { TracesList } from './traces-list.tsx'

const TABS = [
  ['traces', 'Traces'],
  ['reports', 'Reports of AI tools'],
] as const

/** How answers came about, and what AI tools reported. */
export function TracesPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/traces' })
  const { tab = 'traces' } = useSearch({ from: '/kb/$baseId/traces' })
  const base = useKnowledgeBase(baseId)
  return (
    <Page
      title="Traces and reports"
      lead="Each answer step by step, and the faults that AI tools reported over MCP."
    >
      <NeedsPermission base={base.data} permission="config">
        <ScreenTabs label="Traces and reports" tabs={TABS} open={tab} />
        {tab === 'reports' ? <ReportsList baseId={baseId} /> : <TracesList baseId={baseId} />}
      </NeedsPermission>
    </Page>
  )
}

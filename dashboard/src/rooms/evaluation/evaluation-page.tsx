import { useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Page } from '../../ui/page.tsx'
import { ScreenTabs } from '../../ui/tabs.tsx'
import { QuestionsTab } from './questions-tab.tsx'
import { RunsTab } from './runs-tab.tsx'

const TABS = [
  ['runs', 'Runs'],
  ['questions', 'Questions'],
] as const

/** How well the questions of the set are answered, and what changed. */
export function EvaluationPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/evaluation' })
  const { tab = 'runs' } = useSearch({ from: '/kb/$baseId/evaluation' })
  const base = useKnowledgeBase(baseId)
  const blocked = base.data?.status === 'archived' ? 'This knowledge base is archived.' : undefined
  return (
    <Page
      title="Evaluation"
      lead="Questions, each with the page that answers it. Run them after a change to see what got better or worse. Runs are not kept as conversations, and not counted against the quota."
    >
      <NeedsPermission base={base.data} permission="config">
        <ScreenTabs label="Evaluation" tabs={TABS} open={tab} />
        {tab === 'questions' ? (
          <QuestionsTab baseId={baseId} blocked={blocked} />
        ) : (
          <RunsTab baseId={baseId} blocked={blocked} />
        )}
      </NeedsPermission>
    </Page>
  )
}

import { useParams } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { useUsage } from '../../api/workspaces.ts'
import { countBars } from '../../ui/count-bar.tsx'
import { Figures } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { surfaceName, wordsOfCode } from '../../ui/names.ts'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { WorkspaceTabs } from '../../ui/workspace-tabs.tsx'

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const megabytes = (bytes: number): string =>
  bytes > 0 && bytes < 1_000_000 ? 'less than 1 MB' : `${count(Math.round(bytes / 1_000_000))} MB`

/** The plan of the workspace, and what was used of it this month. */
export function PlanPage() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId/plan' })
  const { me } = useSession()
  const plan = me.workspaces.find(({ id }) => id === workspaceId)?.plan
  const usage = useUsage(workspaceId)
  return (
    <Page title="Plan and usage" lead="The plan is set by the operator of this installation.">
      <WorkspaceTabs workspaceId={workspaceId} />
      <Loaded query={usage}>
        {(used) => (
          <>
            <Figures
              figures={[
                { name: 'Plan', value: plan === undefined ? '–' : wordsOfCode(plan) },
                {
                  name: `Questions in ${monthName.format(new Date(`${used.month}-01T00:00:00Z`))}`,
                  value: count(used.questions),
                  note: (
                    <>
                      {used.allowance === null ? 'no limit' : `of ${count(used.allowance)}`}; the count begins
                      again <Time at={used.resets_at} />
                    </>
                  ),
                },
                {
                  name: 'Stored',
                  value: megabytes(used.stored_bytes),
                  note:
                    used.stored_bytes_limit === null
                      ? 'no limit'
                      : `of ${megabytes(used.stored_bytes_limit)}`,
                },
              ]}
            />
            <Table
              label="Questions by month"
              rows={used.history.toReversed()}
              keyOf={({ month }) => month}
              columns={[
                { name: 'Month', of: ({ month }) => monthName.format(new Date(`${month}-01T00:00:00Z`)) },
                countBars('Questions', used.history, (one) => one.questions),
              ]}
            />
            <Table
              label="Questions by knowledge base"
              rows={used.knowledge_bases}
              keyOf={(base) => base.knowledge_base_id}
              columns={[
                { name: 'Knowledge base', of: ({ name }) => name ?? 'deleted, or not open to you' },
                { name: 'Questions this month', isNumber: true, of: ({ questions }) => count(questions) },
                {
                  name: 'Asked by',
                  of: ({ surfaces }) =>
                    surfaces.length === 0
                      ? '–'
                      : surfaces
                          .map(({ surface, questions }) => `${surfaceName(surface)} ${count(questions)}`)
                          .join(', '),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

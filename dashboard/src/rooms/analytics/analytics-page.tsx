import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download } from '../../ui/download.tsx'
import { Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Figures } from '../../ui/figures.tsx'
import { GapState } from '../../ui/gap-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { change, lastDays, percent, useAnalytics } from '../../api/analytics.ts'
import { DayBars } from '../../ui/day-bars.tsx'

const RANGES = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const

/** What readers ask, how well it is answered, and what the documentation lacks. */
export function AnalyticsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/analytics' })
  const { days = 30 } = useSearch({ from: '/kb/$baseId/analytics' })
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const mayRead = base.data?.your_permissions.includes('config') === true
  const range = lastDays(Math.min(366, Math.max(1, Math.round(days))))
  const analytics = useAnalytics(baseId, range, mayRead)
  return (
    <Page
      title="Analytics"
      lead="Days are counted in UTC. Ratings are those of readers."
      actions={
        mayRead && (
          <Download
            href={`/api/v1/knowledge-bases/${baseId}/analytics/export?${new URLSearchParams({ ...range })}`}
          >
            Export CSV
          </Download>
        )
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Filters>
          <Select
            label="Range"
            options={RANGES}
            value={String(days)}
            onChange={(event) =>
              void navigate({ to: '.', search: { days: Number(event.target.value) }, replace: true })
            }
          />
        </Filters>
        <Loaded query={analytics}>
          {(figures) => (
            <>
              <Figures
                figures={[
                  {
                    name: 'Questions',
                    value: count(figures.totals.questions),
                    note: change(figures.totals.questions, figures.before.questions),
                  },
                  {
                    name: 'Covered',
                    value: percent(figures.totals.covered_rate),
                    note:
                      figures.before.covered_rate === null
                        ? 'none before'
                        : `${percent(figures.before.covered_rate)} before`,
                  },
                  {
                    name: 'Ratings',
                    value: `▲ ${count(figures.totals.ratings.up)}  ▼ ${count(figures.totals.ratings.down)}`,
                  },
                  { name: 'Forms deflected', value: percent(figures.deflection.deflection_rate) },
                ]}
              />
              <Card title="Questions by day">
                <DayBars days={figures.days} />
              </Card>
              <Card
                title="Knowledge gaps"
                aside={
                  <Link to="/kb/$baseId/gaps" params={{ baseId }}>
                    All knowledge gaps
                  </Link>
                }
              >
                {figures.knowledge_gaps.length === 0 ? (
                  <Empty says="Every question of these days was covered, and none of the answers was rated down." />
                ) : (
                  <Table
                    label="Knowledge gaps"
                    rows={figures.knowledge_gaps}
                    keyOf={({ id }) => id}
                    columns={[
                      {
                        name: 'Question most like the others',
                        of: ({ id, label }) => (
                          <Link to="/kb/$baseId/gaps/$gapId" params={{ baseId, gapId: id }} dir="auto">
                            {label}
                          </Link>
                        ),
                      },
                      { name: 'Asked', isNumber: true, of: (gap) => count(gap.count) },
                      { name: 'Not covered', isNumber: true, of: (gap) => count(gap.not_covered) },
                      { name: 'Rated down', isNumber: true, of: (gap) => count(gap.rated_down) },
                      { name: 'Last asked', of: (gap) => <Time at={gap.last_asked_at} /> },
                      { name: 'State', of: (gap) => <GapState gap={gap} /> },
                    ]}
                  />
                )}
              </Card>
              <Card title="Most cited pages">
                {figures.top_pages.length === 0 ? (
                  <Empty says="No answer of these days cites a page." />
                ) : (
                  <Table
                    label="Most cited pages"
                    rows={figures.top_pages}
                    keyOf={(page) => page.document_id}
                    columns={[
                      { name: 'Page', of: ({ title, url }) => <a href={url}>{title}</a> },
                      { name: 'Answers', isNumber: true, of: ({ answers }) => count(answers) },
                      { name: 'Rated down', isNumber: true, of: (page) => count(page.rated_down) },
                    ]}
                  />
                )}
              </Card>
            </>
          )}
        </Loaded>
      </NeedsPermission>
    </Page>
  )
}

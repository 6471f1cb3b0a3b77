import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { countBars } from '../../ui/count-bar.tsx'
import { dayRanges, readDays } from '../../ui/day-ranges.ts'
import { Download } from '../../ui/download.tsx'
import { Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Figures } from '../../ui/figures.tsx'
import { GapState } from '../../ui/gap-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { surfaceName } from '../../ui/names.ts'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useKeepsNothing } from '../../api/workspaces.ts'
import { change, comparedShare, lastDays, useAnalytics } from '../../api/analytics.ts'
import { percent } from '../../ui/percent.ts'
import { votesInWords } from '../../ui/vote.tsx'
import { DayBars } from '../../ui/day-bars.tsx'

const helpful = ({ up, down }: { up: number; down: number }): number | null =>
  up + down === 0 ? null : up / (up + down)
const milliseconds = (ms: number | null): string => (ms === null ? '–' : `${count(Math.round(ms))} ms`)

/** What readers ask, how well it is answered, and what the documentation lacks. */
export function AnalyticsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/analytics' })
  const days = readDays(useSearch({ from: '/kb/$baseId/analytics' }).days)
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  const keepsNothing = useKeepsNothing(base.data)
  const mayRead = base.data?.your_permissions.includes('config') === true
  const range = lastDays(days)
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
        {keepsNothing === true && (
          <Banner tone="info">
            This workspace keeps no questions and answers (zero data retention), so there is nothing to count
            here since it was switched on. How many questions there are is under Plan and usage.
          </Banner>
        )}
        <Filters>
          <Select
            label="Range"
            options={dayRanges(days)}
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
                    note: comparedShare(figures.totals.covered_rate, figures.before.covered_rate),
                  },
                  {
                    name: 'Rated helpful',
                    value: percent(helpful(figures.totals.ratings)),
                    note:
                      helpful(figures.totals.ratings) === null
                        ? 'no ratings'
                        : votesInWords(figures.totals.ratings),
                  },
                  {
                    name: 'Time to first words',
                    value: milliseconds(figures.totals.first_ms.p50),
                    note: `median; 95 % within ${milliseconds(figures.totals.first_ms.p95)}`,
                  },
                  {
                    name: 'Forms deflected',
                    value: percent(figures.deflection.deflection_rate),
                    note: `of ${counted(figures.deflection.deflected + figures.deflection.submitted, 'form')} with a known outcome`,
                  },
                ]}
              />
              <Card title="Questions by day">
                <DayBars days={figures.days} />
              </Card>
              {figures.surfaces.length > 0 && (
                <Card title="Where it was asked">
                  <Table
                    label="Where it was asked"
                    rows={figures.surfaces}
                    keyOf={({ surface }) => surface}
                    columns={[
                      { name: 'Where', of: ({ surface }) => surfaceName(surface) },
                      countBars('Questions', figures.surfaces, (one) => one.questions),
                      { name: 'Not covered', isNumber: true, of: (one) => count(one.not_covered) },
                      { name: 'Covered', isNumber: true, of: (one) => percent(one.covered_rate) },
                    ]}
                  />
                </Card>
              )}
              {figures.top_questions.length > 0 && (
                <Card title="Most asked">
                  <Table
                    label="Most asked"
                    rows={figures.top_questions}
                    keyOf={({ label, message_ids: [id] }) => id ?? label}
                    columns={[
                      {
                        name: 'Typical question',
                        of: ({ label }) => <span dir="auto">{label}</span>,
                      },
                      countBars('Asked', figures.top_questions, (one) => one.count),
                      { name: 'Not covered', isNumber: true, of: (one) => count(one.not_covered) },
                      { name: 'Last asked', of: (one) => <Time at={one.last_asked_at} /> },
                    ]}
                  />
                </Card>
              )}
              <Card
                title="Knowledge gaps"
                aside={
                  <Link to="/kb/$baseId/gaps" params={{ baseId }}>
                    All knowledge gaps
                  </Link>
                }
              >
                {figures.knowledge_gaps.length === 0 ? (
                  <Empty says="No gaps: every question of these days was covered, and no answer was rated down." />
                ) : (
                  <Table
                    label="Knowledge gaps"
                    rows={figures.knowledge_gaps}
                    keyOf={({ id }) => id}
                    columns={[
                      {
                        name: 'Typical question',
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
                  <Empty says="No answer from these days cites a page." />
                ) : (
                  <Table
                    label="Most cited pages"
                    rows={figures.top_pages}
                    keyOf={(page) => page.document_id}
                    columns={[
                      { name: 'Page', of: ({ title, url }) => <a href={url}>{title}</a> },
                      countBars('Answers', figures.top_pages, (one) => one.answers),
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

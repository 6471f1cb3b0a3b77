import { Link, useParams } from '@tanstack/react-router'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { Figures } from '../../ui/figures.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { Status } from '../../ui/status.tsx'
import { useAnalytics, lastDays, change, comparedShare } from '../../api/analytics.ts'
import { percent } from '../../ui/percent.ts'
import { DayBars } from '../../ui/day-bars.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { sourceTone, worstFirst } from '../../ui/source-status.ts'
import { HealthLine } from './health-line.tsx'
import classes from './overview-page.module.css'
import { ModelProblem } from './model-problem.tsx'
import { SetupList } from './setup-list.tsx'
import { useSources } from '../../api/sources.ts'

function NextToWrite({
  baseId,
  gaps,
}: {
  baseId: string
  gaps: readonly { id: string; label: string; count: number }[]
}) {
  if (gaps.length === 0) return <p>No open knowledge gap in the last 30 days.</p>
  return (
    <ol>
      {gaps.slice(0, 5).map((gap) => (
        <li key={gap.id}>
          <Link to="/kb/$baseId/gaps/$gapId" params={{ baseId, gapId: gap.id }} dir="auto">
            {gap.label}
          </Link>{' '}
          <span>asked {gap.count === 1 ? 'once' : `${count(gap.count)} times`}</span>
        </li>
      ))}
    </ol>
  )
}

/** How many sources are listed. */
const LISTED = 5

/** How a knowledge base is doing, and what to do next. */
export function OverviewPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/' })
  const base = useKnowledgeBase(baseId)
  const sources = useSources(baseId)
  const mayConfigure = base.data?.your_permissions.includes('config') === true
  const analytics = useAnalytics(baseId, lastDays(30), mayConfigure)
  return (
    <Page title={base.data?.name ?? 'Overview'} lead={base.data?.description ?? undefined}>
      {base.data !== undefined && sources.data !== undefined && (
        <>
          <HealthLine base={base.data} sources={sources.data} />
          <ModelProblem workspaceId={base.data.workspace_id} />
          {mayConfigure && analytics.data !== undefined && (
            <SetupList
              key={baseId}
              base={base.data}
              sources={sources.data}
              questions={analytics.data.totals.questions}
            />
          )}
        </>
      )}
      <Loaded query={sources}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="This knowledge base has nothing to answer from yet.">
              {mayConfigure && base.data?.status === 'active' && (
                <Link to="/start" search={{ kb: baseId }}>
                  Add the first source
                </Link>
              )}
            </Empty>
          ) : (
            <Card
              title="Sources"
              aside={
                <Link to="/kb/$baseId/sources" params={{ baseId }}>
                  All sources
                </Link>
              }
            >
              <ul>
                {worstFirst(list)
                  .slice(0, LISTED)
                  .map((source) => {
                    const { tone, word } = sourceTone(source)
                    return (
                      <li key={source.id} className={classes['source']}>
                        <Status tone={tone}>{word}</Status>
                        <Link
                          to="/kb/$baseId/sources/$sourceId"
                          params={{ baseId, sourceId: source.id }}
                          className={classes['name']}
                        >
                          {source.name}
                        </Link>
                        <span className={classes['when']}>
                          {source.last_sync !== null && (
                            <Time at={source.last_sync.finished_at} absent="now" />
                          )}
                        </span>
                      </li>
                    )
                  })}
              </ul>
              {list.length > LISTED && (
                <p className={classes['more']}>
                  <Link to="/kb/$baseId/sources" params={{ baseId }}>
                    and {count(list.length - LISTED)} more
                  </Link>
                </p>
              )}
            </Card>
          )
        }
      </Loaded>
      {mayConfigure && (
        <Loaded query={analytics}>
          {({ totals, before, days, knowledge_gaps: gaps }) => (
            <>
              <Figures
                figures={[
                  {
                    name: 'Questions, 30 days',
                    value: count(totals.questions),
                    note: change(totals.questions, before.questions),
                  },
                  {
                    name: 'Covered',
                    value: percent(totals.covered_rate),
                    note: comparedShare(totals.covered_rate, before.covered_rate),
                  },
                  {
                    name: 'Rated helpful',
                    value: percent(
                      totals.ratings.up + totals.ratings.down === 0
                        ? null
                        : totals.ratings.up / (totals.ratings.up + totals.ratings.down),
                    ),
                    note: `of ${counted(totals.ratings.up + totals.ratings.down, 'rating')}`,
                  },
                  {
                    name: 'Time to first words',
                    value:
                      totals.first_ms.p50 === null ? '–' : `${count(Math.round(totals.first_ms.p50))} ms`,
                    note: 'median',
                  },
                ]}
              />
              <Card title="Questions by day">
                <DayBars days={days} />
              </Card>
              <Card
                title="What to write next"
                aside={
                  <Link to="/kb/$baseId/gaps" params={{ baseId }}>
                    All knowledge gaps
                  </Link>
                }
              >
                <NextToWrite baseId={baseId} gaps={gaps.filter(({ status }) => status === 'open')} />
              </Card>
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

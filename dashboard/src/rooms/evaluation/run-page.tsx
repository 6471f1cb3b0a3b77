import type { EvaluationDetail, EvaluationResult } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ShowFilter } from '../../ui/show-filter.tsx'
import { Figures } from '../../ui/figures.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { FOLLOW_MS, isGoing, NAMES, points, share } from './run-figures.ts'
import classes from './run-page.module.css'
import { RunProgress, RunStatus } from './run-status.tsx'

const SHOWN = [
  ['', 'All questions'],
  ['changed', 'What changed'],
  ['wrong', 'Wrong or failed'],
] as const

const isShown = (show: string, { change, status }: EvaluationResult) => {
  if (show === 'changed') return change === 'better' || change === 'worse'
  return show === 'wrong' ? status === 'wrong' || status === 'failed' : true
}

function Outcome({ result: { status, covered, answerable } }: { result: EvaluationResult }) {
  if (status === 'waiting') return <Status tone="quiet">Not asked</Status>
  if (status === 'failed') return <Status tone="danger">Failed</Status>
  const says = covered === true ? 'answered' : 'refused'
  if (status === 'right') return <Status tone="ok">Right: {says}</Status>
  return <Status tone="warn">Wrong: {covered === answerable ? 'page not in the first 5' : says}</Status>
}

function Changed({ result: { change, before } }: { result: EvaluationResult }) {
  if (change === 'better') return <Status tone="ok">Better</Status>
  if (change === 'worse') return <Status tone="danger">Worse</Status>
  return <>{before === null ? 'new' : '–'}</>
}

const place = (rank: number | null, urls: readonly string[]) =>
  urls.length === 0 ? '–' : rank === null ? 'over 10' : String(rank)

function Results({ run }: { run: EvaluationDetail }) {
  const { show = '' } = useSearch({ from: '/kb/$baseId/evaluation/$runId' })
  const rows = run.results.filter((result) => isShown(show, result))
  return (
    <>
      <Filters>
        <ShowFilter options={SHOWN} value={show} />
      </Filters>
      {rows.length === 0 ? (
        <p>{show === 'changed' ? 'Nothing changed.' : 'No such question.'}</p>
      ) : (
        <Table
          label="Results"
          rows={rows}
          keyOf={({ question }) => question}
          columns={[
            {
              name: 'Question',
              of: ({ question, found }) =>
                found.length === 0 ? (
                  <span dir="auto">{question}</span>
                ) : (
                  <details>
                    <summary dir="auto">{question}</summary>
                    Found:
                    <ol>
                      {found.map(({ title, url }) => (
                        <li key={url}>
                          <a href={url}>{title}</a>
                        </li>
                      ))}
                    </ol>
                  </details>
                ),
            },
            {
              name: 'Should be',
              of: ({ answerable, urls }) =>
                answerable ? (urls.length === 0 ? 'an answer' : urls.join(' or ')) : 'refused',
            },
            { name: 'Outcome', of: (result) => <Outcome result={result} /> },
            {
              name: 'Rank',
              isNumber: true,
              of: ({ rank, urls, before }) =>
                before !== null && before.rank !== rank && urls.length > 0
                  ? `${place(before.rank, urls)} → ${place(rank, urls)}`
                  : place(rank, urls),
            },
            { name: 'Cited', of: ({ cited }) => (cited === null ? '–' : cited ? 'yes' : 'no') },
            { name: 'Change', of: (result) => <Changed result={result} /> },
          ]}
        />
      )}
    </>
  )
}

/** One run: its figures, and what changed against another one. */
export function RunPage() {
  const { baseId, runId } = useParams({ from: '/kb/$baseId/evaluation/$runId' })
  const { against } = useSearch({ from: '/kb/$baseId/evaluation/$runId' })
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const base = useKnowledgeBase(baseId)
  const run = useQuery({
    queryKey: ['evaluation', runId, against],
    queryFn: ({ signal }) => api.getEvaluation(runId, { against }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isGoing(state.data) ? FOLLOW_MS : false),
  })
  const cancel = useMutation({
    mutationFn: () => api.cancelEvaluation(runId),
    onSuccess: async () => {
      tell('The run was cancelled. Its results so far are kept.')
      await client.invalidateQueries({ queryKey: ['evaluation', runId] })
    },
    onError: tellFault,
  })
  const isRunning = run.data !== undefined && isGoing(run.data)
  return (
    <Page
      title="Evaluation run"
      lead={
        <Link to="/kb/$baseId/evaluation" params={{ baseId }}>
          All runs
        </Link>
      }
      actions={
        isRunning && (
          <Button onClick={() => cancel.mutate()} disabled={cancel.isPending}>
            Cancel the run
          </Button>
        )
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={run}>
          {(loaded) => (
            <>
              <p className={classes['facts']}>
                <RunStatus run={loaded} /> · {count(loaded.total)}{' '}
                {loaded.total === 1 ? 'question' : 'questions'} · started <Time at={loaded.created_at} />
                {loaded.compared_with !== null && (
                  <>
                    {' '}
                    · compared with the run of <Time at={loaded.compared_with.created_at} />
                  </>
                )}
              </p>
              {loaded.error !== null && <Banner tone="danger">{loaded.error}</Banner>}
              {loaded.figures.failed > 0 && (
                <Banner tone="warn">
                  {counted(loaded.figures.failed, 'answer')} failed, which count in no figure. Does the
                  language model answer?
                </Banner>
              )}
              <RunProgress run={loaded} />
              <Figures
                figures={NAMES.map(([figure, name]) => ({
                  name,
                  value: share(loaded.figures[figure]),
                  note:
                    points(loaded.figures[figure], loaded.compared_with?.figures[figure]) ??
                    `${count(loaded.figures[figure].count)} of ${count(loaded.figures[figure].of)}`,
                }))}
              />
              <Card title="Questions">
                <Results run={loaded} />
              </Card>
            </>
          )}
        </Loaded>
      </NeedsPermission>
    </Page>
  )
}

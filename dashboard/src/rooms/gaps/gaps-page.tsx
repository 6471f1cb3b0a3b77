import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useKnowledgeGaps, type GapStatus } from '../../api/knowledge-gaps.ts'
import { lastDays } from '../../api/analytics.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { dayRanges, readDays } from '../../ui/day-ranges.ts'
import { saveFile } from '../../ui/download.tsx'
import { Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, counted, Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { zipFiles } from '../../ui/zip-files.ts'
import { GapState, Trend } from '../../ui/gap-state.tsx'

const STATES = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['dismissed', 'Dismissed'],
  ['all', 'All states'],
] as const

const EMPTY = {
  open: 'No open gap. A topic appears here when a question about it was not covered, or its answer was rated down.',
  resolved:
    'No gap was resolved yet. Mark one as resolved after you have written an answer: it opens again by itself if that does not hold.',
  dismissed: 'No gap was dismissed.',
  all: 'No gaps: every question of these days was covered, and no answer was rated down.',
}

const isStatus = (state: string): state is GapStatus => ['open', 'resolved', 'dismissed'].includes(state)

/** What the documentation does not answer, and what was done about it. */
export function GapsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/gaps' })
  const search = useSearch({ from: '/kb/$baseId/gaps' })
  const days = readDays(search.days)
  const state = STATES.find(([one]) => one === search.state)?.[0] ?? 'open'
  const navigate = useNavigate()
  const api = useApi()
  const { tell, tellFault } = useToasts()
  const base = useKnowledgeBase(baseId)
  const mayRead = base.data?.your_permissions.includes('config') === true
  const of = { ...lastDays(days), ...(isStatus(state) && { status: state }) }
  const gaps = useKnowledgeGaps(baseId, of, mayRead)
  const save = useMutation({
    mutationFn: () => api.exportKnowledgeGaps(baseId, of),
    onSuccess: ({ files }) => {
      saveFile('knowledge-gaps.zip', zipFiles(files))
      tell(`Saved as knowledge-gaps.zip: ${counted(files.length, 'Markdown file')}.`)
    },
    onError: tellFault,
  })
  const show = (change: { state?: string; days?: number }) =>
    void navigate({ to: '.', search: { state, days, ...change }, replace: true })
  return (
    <Page
      title="Knowledge gaps"
      lead="Topics that readers asked about and that your documentation did not answer well."
      actions={
        mayRead && (
          <Button
            onClick={() => save.mutate()}
            disabled={save.isPending}
            blocked={gaps.data?.data.length === 0 ? 'There is no gap to export.' : undefined}
            title="A Markdown file for each gap of this list, which a person or a coding agent can turn into documentation"
          >
            Export Markdown files
          </Button>
        )
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Filters>
          <Select
            label="State"
            options={STATES}
            value={state}
            onChange={(event) => show({ state: event.target.value })}
          />
          <Select
            label="Asked in"
            options={dayRanges(days)}
            value={String(days)}
            onChange={(event) => show({ days: Number(event.target.value) })}
          />
        </Filters>
        <Loaded query={gaps}>
          {({ data, zero_retention: keepsNothing }) => (
            <>
              {keepsNothing && (
                <Banner tone="info">
                  This workspace keeps no conversations (zero data retention), so gaps cannot be found. Those
                  below are from before it was switched on.
                </Banner>
              )}
              {data.length === 0 ? (
                <Empty says={EMPTY[state]}>
                  <Link to="/kb/$baseId/ask" params={{ baseId }}>
                    Ask in the playground
                  </Link>
                </Empty>
              ) : (
                <Table
                  label="Knowledge gaps"
                  rows={data}
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
                    { name: 'Trend', isNumber: true, of: (gap) => <Trend gap={gap} /> },
                    {
                      name: 'Last asked',
                      of: (gap) => <Time at={gap.last_asked_at} absent="not in these days" />,
                    },
                    { name: 'State', of: (gap) => <GapState gap={gap} /> },
                  ]}
                />
              )}
            </>
          )}
        </Loaded>
      </NeedsPermission>
    </Page>
  )
}

import type { AgentApp, Approval, KnowledgeBase } from '@citewell/sdk/management'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { useIsFollowed } from '../../api/base-events.ts'
import { useApi, useSession } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { useScreenKeys } from '../../ui/use-screen-keys.ts'
import { ApprovalCard } from './approval-card.tsx'
import classes from './approvals.module.css'
import { DecisionDialog } from './decision-dialog.tsx'

const SHOWN = [
  ['pending', 'Waiting for a decision'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
] as const

const NONE = {
  pending: 'Nothing is waiting for a decision. What agent apps want to say or do appears here.',
  approved: 'Nothing was approved yet.',
  rejected: 'Nothing was rejected yet.',
} as const

type Shown = keyof typeof NONE
type Decision = Exclude<Shown, 'pending'>

/** Milliseconds between two looks at what waits. */
const FOLLOW_MS = 5_000

function useApprovals(baseId: string, status: Shown) {
  const api = useApi()
  const isFollowed = useIsFollowed(baseId)
  return useInfiniteQuery({
    queryKey: ['approvals', baseId, status],
    queryFn: async ({ pageParam, signal }) =>
      await api.listApprovals(
        baseId,
        { limit: 50, status, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: status === 'pending' && !isFollowed ? FOLLOW_MS : false,
  })
}

/** Names of the people of a workspace. Those who may not read the list see ids of nobody. */
function useNames(workspaceId: string | undefined): (userId: string | null) => string | undefined {
  const api = useApi()
  const { user } = useSession().me
  const members = useQuery({
    queryKey: ['members', workspaceId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listMembers(workspaceId ?? '', { limit: 100 }, { signal }).all()),
    enabled: workspaceId !== undefined,
  })
  return (userId) => {
    if (userId === user.id) return 'you'
    if (members.data === undefined) return 'a person'
    const member = members.data.find((one) => one.user_id === userId)
    return member === undefined ? undefined : member.name || member.email
  }
}

/** What the keys J, K, A and R do: the approval that is looked at, and where it is on the screen. */
function useQueueKeys(rows: readonly Approval[], onDecide: (approval: Approval, decision: Decision) => void) {
  const [currentId, setCurrentId] = useState<string>()
  const places = useRef(new Map<string, HTMLElement>())
  const at = rows.findIndex(({ id }) => id === currentId)
  function move(by: 1 | -1): void {
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]
    if (next === undefined) return
    setCurrentId(next.id)
    places.current.get(next.id)?.focus()
  }
  function decide(decision: Decision): void {
    const approval = rows[Math.max(0, at)]
    if (approval?.status === 'pending') onDecide(approval, decision)
  }
  useScreenKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => decide('approved'),
    r: () => decide('rejected'),
  })
  const placeOf = (id: string) => (element: HTMLElement | null) => {
    if (element === null) places.current.delete(id)
    else places.current.set(id, element)
  }
  return { currentId, placeOf }
}

/** Says that nothing is there, and how it gets there. */
function NoApprovals({
  status,
  baseId,
  agentId,
}: {
  status: Shown
  baseId: string
  agentId: string | undefined
}) {
  return (
    <Empty says={NONE[status]}>
      {status === 'pending' && (
        <CopyField
          label="How an agent asks"
          text={`curl ${location.origin}/api/v1/knowledge-bases/${baseId}/approvals -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"agent_id": "${agentId ?? 'ID_OF_AN_AGENT_APP'}", "kind": "reply", "title": "Reply to ticket 1042", "content": "Your refund is on its way."}'`}
        />
      )}
    </Empty>
  )
}

/** The approvals, one below the other. */
function Queue({
  rows,
  agents,
  workspaceId,
  blocked,
  onDecide,
  onDelete,
}: {
  rows: readonly Approval[]
  agents: readonly AgentApp[]
  workspaceId: string | undefined
  blocked: string | undefined
  onDecide: (approval: Approval, decision: Decision) => void
  onDelete: (approval: Approval) => void
}) {
  const nameOf = useNames(workspaceId)
  const { currentId, placeOf } = useQueueKeys(rows, (approval, decision) => {
    if (blocked === undefined) onDecide(approval, decision)
  })
  return (
    <div className={classes['queue']}>
      {rows.map((approval) => (
        <ApprovalCard
          key={approval.id}
          approval={approval}
          agent={agents.find(({ id }) => id === approval.agent_id)?.name ?? 'An agent app'}
          decidedBy={nameOf(approval.decided_by)}
          blocked={blocked}
          isCurrent={approval.id === currentId}
          place={placeOf(approval.id)}
          onDecide={(decision) => onDecide(approval, decision)}
          onDelete={() => onDelete(approval)}
        />
      ))}
    </div>
  )
}

/** The approvals of one state, with what can be done with them. */
function ApprovalList({ base, status }: { base: KnowledgeBase; status: Shown }) {
  const { id: baseId, workspace_id: workspaceId } = base
  const blocked = whyBlocked(base)
  const approvals = useApprovals(baseId, status)
  const agents = useRecords('agent-apps', baseId, (api, page, options) =>
    api.listAgentApps(baseId, page, options),
  )
  const [deciding, setDeciding] = useState<{ approval: Approval; decision: Decision }>()
  const [leaving, setLeaving] = useState<Approval>()
  const remove = useRecordChange('approvals', baseId, (api, id: string) => api.deleteApproval(id), {
    says: 'The approval was deleted.',
  })
  if (approvals.isLoadingError)
    return <Fault error={approvals.error} onRetry={() => void approvals.refetch()} />
  if (approvals.isPending) return <Skeleton />
  const rows = approvals.data.pages.flatMap(({ data }) => data)
  return (
    <>
      {rows.length === 0 && <NoApprovals status={status} baseId={baseId} agentId={agents.data?.[0]?.id} />}
      {rows.length > 0 && status === 'pending' && (
        <p className={classes['keys']}>
          <kbd>J</kbd> next, <kbd>K</kbd> previous, <kbd>A</kbd> approve, <kbd>R</kbd> reject
        </p>
      )}
      <Queue
        rows={rows}
        agents={agents.data ?? []}
        workspaceId={workspaceId}
        blocked={blocked}
        onDecide={(approval, decision) => setDeciding({ approval, decision })}
        onDelete={setLeaving}
      />
      {approvals.hasNextPage && (
        <Button onClick={() => void approvals.fetchNextPage()} disabled={approvals.isFetchingNextPage}>
          Show earlier ones
        </Button>
      )}
      {/* Also below an empty list: it is empty before the dialog of the last one has ended, and while somebody else decides. */}
      {deciding !== undefined && <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
      {leaving !== undefined && (
        <ConfirmDialog
          isOpen
          onClose={() => setLeaving(undefined)}
          title={`Delete “${leaving.title}”`}
          action="Delete the approval"
          onConfirm={() => remove.mutate(leaving.id)}
        >
          <p>The record of the decision is deleted. What the agent did is not undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What agents want to say or do, until a person has decided. */
export function ApprovalsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/approvals' })
  const { show: status = 'pending' } = useSearch({ from: '/kb/$baseId/approvals' })
  const navigate = useNavigate()
  const base = useKnowledgeBase(baseId)
  return (
    <Page title="Approvals" lead="What agent apps want to say or do waits here until a person has decided.">
      <Filters>
        <Select
          label="Show"
          options={SHOWN}
          value={status}
          onChange={(event) => {
            const show = SHOWN.find(([value]) => value === event.target.value)?.[0] ?? 'pending'
            void navigate({ to: '.', search: show === 'pending' ? {} : { show }, replace: true })
          }}
        />
      </Filters>
      <Loaded query={base}>{(loaded) => <ApprovalList base={loaded} status={status} />}</Loaded>
    </Page>
  )
}

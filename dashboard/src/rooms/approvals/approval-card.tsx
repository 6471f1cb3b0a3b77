import type { Approval } from '@citewell/sdk/management'
import type { Ref } from 'react'
import { AnswerText } from '../../ui/answer-text.tsx'
import { Button } from '../../ui/button.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { ActionInput } from './action-input.tsx'
import classes from './approvals.module.css'

const KINDS = { reply: 'wants to say', action: 'wants to do' } as const

/** What became of an approved action. */
function Execution({ approval: { action, execution, execution_note, executed_at } }: { approval: Approval }) {
  if (action === null || execution === null) return null
  return (
    <p>
      <Status tone={EXECUTIONS[execution].tone}>{EXECUTIONS[execution].says}</Status>{' '}
      <code>{action.name}</code>
      {executed_at !== null && (
        <>
          {' '}
          · <Time at={executed_at} />
        </>
      )}{' '}
      {execution_note}
    </p>
  )
}

const EXECUTIONS = {
  waiting: { tone: 'info', says: 'Being carried out' },
  done: { tone: 'ok', says: 'Carried out' },
  failed: { tone: 'danger', says: 'Not carried out' },
  unknown: { tone: 'warn', says: 'Possibly carried out' },
} as const

const isExpired = ({ expires_at: at }: Approval): boolean => at !== null && Date.parse(at) <= Date.now()

const expiredBecause = (approval: Approval): string | undefined =>
  isExpired(approval) ? 'It has expired: it can be rejected, but no longer approved.' : undefined

/** Until when it can be approved, if it is not for ever. */
function Expiry({ approval }: { approval: Approval }) {
  if (approval.status !== 'pending' || approval.expires_at === null) return null
  return (
    <>
      {isExpired(approval) ? ' · expired ' : ' · can be approved until '}
      <Time at={approval.expires_at} />
    </>
  )
}

/** What an agent wants to say or do, and what was decided about it. */
export function ApprovalCard({
  approval,
  agent,
  decidedBy,
  blocked,
  isCurrent,
  place,
  onDecide,
  onDelete,
}: {
  approval: Approval
  /** Name of the agent app. */
  agent: string
  /** Name of the person who decided. */
  decidedBy: string | undefined
  blocked: string | undefined
  isCurrent: boolean
  place: Ref<HTMLElement>
  onDecide: (decision: 'approved' | 'rejected') => void
  onDelete: () => void
}) {
  const { title, content, kind, status, comment } = approval
  return (
    <article
      ref={place}
      tabIndex={-1}
      aria-label={title}
      aria-current={isCurrent ? 'true' : undefined}
      className={classes['card']}
    >
      <header>
        <h2 dir="auto">{title}</h2>
        <p>
          {agent} {KINDS[kind]} · <Time at={approval.created_at} />
          <Expiry approval={approval} />
        </p>
      </header>
      <div className={classes['content']}>
        <AnswerText text={approval.edited_content ?? content} citations={[]} />
      </div>
      {approval.action !== null && status === 'pending' && <ActionInput action={approval.action} />}
      {status === 'pending' ? (
        <RowActions>
          <Button
            look="primary"
            blocked={blocked ?? expiredBecause(approval)}
            onClick={() => onDecide('approved')}
          >
            Approve
          </Button>
          <Button look="danger" blocked={blocked} onClick={() => onDecide('rejected')}>
            Reject
          </Button>
        </RowActions>
      ) : (
        <>
          <p>
            {status === 'approved' ? (
              <Status tone="ok">Approved</Status>
            ) : (
              <Status tone="danger">Rejected</Status>
            )}{' '}
            by {decidedBy ?? 'someone who left'} · <Time at={approval.decided_at} />
          </p>
          {comment !== null && comment !== '' && (
            <p className={classes['content']} dir="auto">
              “{comment}”
            </p>
          )}
          <Execution approval={approval} />
          <Button look="quiet" blocked={blocked} onClick={onDelete} aria-label={`Delete ${title}`}>
            Delete
          </Button>
        </>
      )}
    </article>
  )
}

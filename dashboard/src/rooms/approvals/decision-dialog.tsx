import type { Approval } from '@citewell/sdk/management'
import { LIMITS } from '@citewell/contract/limits'
import type { FormEvent } from 'react'
import { useRecordChange } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf, textOrNull } from '../../ui/form-values.ts'

/** Asks for a comment, and decides. The decision is final. */
export function DecisionDialog({
  approval,
  decision,
  onClose,
}: {
  approval: Approval
  decision: 'approved' | 'rejected'
  onClose: () => void
}) {
  const isApproval = decision === 'approved'
  const decide = useRecordChange(
    'approvals',
    approval.knowledge_base_id,
    (api, given: { comment: string | null; content?: string }) =>
      api.decideApproval(approval.id, { decision, ...given }),
    { says: isApproval ? 'It was approved.' : 'It was rejected.', isInForm: true },
  )
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // The keys submit it also while its button is disabled: a decision is sent once.
    if (decide.isPending) return
    const form = new FormData(event.currentTarget)
    const content = textOf(form, 'content')
    const isEdited = isApproval && content !== '' && content !== approval.content.trim()
    const given = { comment: textOrNull(form, 'comment'), ...(isEdited && { content }) }
    decide.mutate(given, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onClose={onClose} title={`${isApproval ? 'Approve' : 'Reject'} “${approval.title}”`}>
      <Form hasFailed={decide.isError} onSubmit={submit}>
        {isApproval && (
          <TextArea
            label="What is said or done"
            name="content"
            rows={6}
            maxLength={LIMITS.ticketText}
            defaultValue={approval.content}
            hint="You can edit it. The agent’s original is kept beside it."
          />
        )}
        <TextArea
          label="Comment"
          name="comment"
          rows={3}
          maxLength={LIMITS.feedbackComment}
          hint="Optional. For the agent and your colleagues."
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit()
          }}
        />
        {decide.isError && <Fault error={decide.error} />}
        <p>The decision is final.</p>
        <Button look={isApproval ? 'primary' : 'danger'} type="submit" disabled={decide.isPending}>
          {isApproval ? 'Approve' : 'Reject'}
        </Button>
      </Form>
    </Dialog>
  )
}

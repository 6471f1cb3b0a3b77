import type { Trace } from '@citewell/sdk/management'
import { useState } from 'react'
import { useAddQuestion } from '../../api/evaluation.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EvaluationQuestionForm } from '../../ui/evaluation-question-form.tsx'
import { Actions } from '../../ui/filters.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** Makes a question of a trace one that is measured from now on. */
export function AddToEvaluation({ baseId, trace }: { baseId: string; trace: Trace }) {
  const base = useKnowledgeBase(baseId)
  const add = useAddQuestion(baseId)
  const { tell } = useToasts()
  const [isOpen, setOpen] = useState(false)
  const urls = [...new Set(trace.citations.map(({ url }) => url.replace(/#.*/, '')))]
  return (
    <Actions>
      <Button
        blocked={base.data?.status === 'archived' ? 'This knowledge base is archived.' : undefined}
        onClick={() => setOpen(true)}
      >
        Add to the evaluation set
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Add to the evaluation set">
        <EvaluationQuestionForm
          given={{ question: trace.query, urls: trace.covered ? urls : [], answerable: trace.covered }}
          error={add.error}
          isPending={add.isPending}
          onSave={(fields) =>
            add.mutate(fields, {
              onSuccess: () => {
                tell('The question is in the evaluation set.')
                setOpen(false)
              },
            })
          }
        />
      </Dialog>
    </Actions>
  )
}

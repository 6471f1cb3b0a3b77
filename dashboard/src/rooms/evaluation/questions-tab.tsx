import type { EvaluationQuestion } from '@citewell/sdk/management'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddQuestion } from '../../api/evaluation.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EvaluationQuestionForm, type QuestionFields } from '../../ui/evaluation-question-form.tsx'
import { Actions } from '../../ui/filters.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Table } from '../../ui/table.tsx'
import { counted } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { ImportForm } from './import-form.tsx'

const NEW: QuestionFields = { question: '', urls: [], answerable: true }

export function QuestionsTab({ baseId, blocked }: { baseId: string; blocked: string | undefined }) {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [open, setOpen] = useState<EvaluationQuestion | 'new' | 'import'>()
  const [leaving, setLeaving] = useState<EvaluationQuestion>()
  const questions = useInfiniteQuery({
    queryKey: ['evaluation-questions', baseId],
    queryFn: async ({ pageParam, signal }) =>
      await api.listEvaluationQuestions(
        baseId,
        { limit: 100, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const refresh = () => client.invalidateQueries({ queryKey: ['evaluation-questions', baseId] })
  const add = useAddQuestion(baseId)
  const change = useMutation({
    mutationFn: ({ id, ...fields }: QuestionFields & { id: string }) =>
      api.updateEvaluationQuestion(id, fields),
    onSuccess: refresh,
  })
  const fromRatings = useMutation({
    mutationFn: () => api.importEvaluationQuestions(baseId, { format: 'ratings' }),
    onSuccess: async ({ added, known }) => {
      tell(
        added === 0
          ? `No new question: ${known === 0 ? 'no answer that cites a public page was rated up.' : 'all of them are in the set.'}`
          : `Added: ${counted(added, 'question')} whose answers were rated up.`,
      )
      await refresh()
    },
    onError: tellFault,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteEvaluationQuestion(id),
    onSuccess: async () => {
      tell('The question was deleted.')
      await refresh()
    },
    onError: tellFault,
  })
  function openForm(next: EvaluationQuestion | 'new'): void {
    add.reset()
    change.reset()
    setOpen(next)
  }
  const isForm = open === 'new' || typeof open === 'object'
  const saved = () => {
    tell('The question was saved.')
    setOpen(undefined)
  }
  return (
    <>
      <Actions>
        <Button look="primary" blocked={blocked} onClick={() => openForm('new')}>
          Add a question
        </Button>
        <Button blocked={blocked} onClick={() => setOpen('import')}>
          Import a file
        </Button>
        <Button blocked={blocked} disabled={fromRatings.isPending} onClick={() => fromRatings.mutate()}>
          Add questions rated up
        </Button>
      </Actions>
      <Listed
        query={questions}
        empty="No questions yet. Thirty that people really ask are enough to see the effect of a change."
      >
        {(rows) => (
          <Table
            label="Questions of the evaluation set"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Question', of: ({ question }) => <span dir="auto">{question}</span> },
              {
                name: 'Expected result',
                of: ({ urls, answerable }) =>
                  !answerable ? '“Not covered”' : urls.length === 0 ? 'An answer' : urls.join(' or '),
              },
              {
                name: 'Actions',
                of: (one) => (
                  <>
                    <Button
                      blocked={blocked}
                      aria-label={`Change ${one.question}`}
                      onClick={() => openForm(one)}
                    >
                      Change
                    </Button>{' '}
                    <Button
                      look="quiet"
                      aria-label={`Delete ${one.question}`}
                      onClick={() => setLeaving(one)}
                    >
                      Delete
                    </Button>
                  </>
                ),
              },
            ]}
          />
        )}
      </Listed>
      <Dialog
        isOpen={isForm}
        onClose={() => setOpen(undefined)}
        title={typeof open === 'object' ? 'Change the question' : 'Add a question'}
      >
        <EvaluationQuestionForm
          given={typeof open === 'object' ? open : NEW}
          error={typeof open === 'object' ? change.error : add.error}
          isPending={add.isPending || change.isPending}
          onSave={(fields) =>
            typeof open === 'object'
              ? change.mutate({ ...fields, id: open.id }, { onSuccess: saved })
              : add.mutate(fields, { onSuccess: saved })
          }
        />
      </Dialog>
      <Dialog
        isOpen={open === 'import'}
        onClose={() => setOpen(undefined)}
        title="Import a file of questions"
      >
        <ImportForm
          baseId={baseId}
          onDone={async () => {
            setOpen(undefined)
            await refresh()
          }}
        />
      </Dialog>
      <Dialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title="Delete this question"
      >
        <p>“{leaving?.question}” is not asked in later runs. Earlier runs keep it.</p>
        <p>
          <Button
            look="danger"
            onClick={() => {
              if (leaving !== undefined) remove.mutate(leaving.id)
              setLeaving(undefined)
            }}
          >
            Delete the question
          </Button>
        </p>
      </Dialog>
    </>
  )
}

import type { CustomAnswer } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useGapChange } from '../../api/knowledge-gaps.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ListFilter } from '../../ui/list-filter.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { CustomAnswerForm } from './custom-answer-form.tsx'

/** The first words of Markdown, without its signs. */
const firstWords = (markdown: string): string =>
  markdown
    .slice(0, 400)
    .replaceAll(/[*_`#>]+/g, '')
    .slice(0, 120)

/** Answers that people wrote. They are found before pages are. */
export function CustomAnswersPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/answers' })
  const { question, gap } = useSearch({ from: '/kb/$baseId/answers' })
  const navigate = useNavigate()
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const base = useKnowledgeBase(baseId)
  const changeGap = useGapChange(baseId)
  const [open, setOpen] = useState<CustomAnswer | 'new'>()
  const [leaving, setLeaving] = useState<CustomAnswer>()
  const isWriting = open !== undefined || question !== undefined
  const blocked =
    base.data?.status === 'archived'
      ? 'This knowledge base is archived.'
      : base.data?.your_permissions.includes('config') === true
        ? undefined
        : 'This needs the permission Config on the knowledge base.'
  const answers = useQuery({
    queryKey: ['custom-answers', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listCustomAnswers(baseId, { limit: 100 }, { signal }).all()),
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteCustomAnswer(id),
    onSuccess: async () => {
      tell('The answer was deleted.')
      await client.invalidateQueries({ queryKey: ['custom-answers', baseId] })
    },
    onError: tellFault,
  })
  function close(): void {
    setOpen(undefined)
    if (question !== undefined)
      void navigate({ to: '.', search: ({ question: _asked, gap: _for, ...rest }) => rest, replace: true })
  }
  /** Back to the gap that the answer was written for, which names it from now on. */
  async function goOn(saved: CustomAnswer): Promise<void> {
    if (gap === undefined) return close()
    try {
      await changeGap.mutateAsync({ id: gap, custom_answer_id: saved.id })
      await navigate({ to: '/kb/$baseId/gaps/$gapId', params: { baseId, gapId: gap } })
    } catch (error) {
      tellFault(error)
      close()
    }
  }
  return (
    <Page
      title="Custom answers"
      lead="Answers you write yourself, for questions that your pages do not answer well."
      actions={
        <Button look="primary" blocked={blocked} onClick={() => setOpen('new')}>
          Write an answer
        </Button>
      }
    >
      <Loaded query={answers}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="No custom answer yet. Knowledge gaps show which questions need one." />
          ) : (
            <ListFilter
              label="Question or answer contains"
              rows={list}
              textOf={(one) => `${one.question} ${one.answer ?? ''}`}
            >
              {(rows) => (
                <Table
                  label="Custom answers"
                  rows={rows}
                  keyOf={({ id }) => id}
                  columns={[
                    { name: 'Question', of: (answer) => answer.question },
                    {
                      name: 'Answer',
                      of: ({ answer, withheld }) => (withheld ? 'withheld' : firstWords(answer ?? '')),
                    },
                    {
                      name: 'Visible to',
                      of: (one) => (one.visibility === 'public' ? 'Everyone' : 'Members'),
                    },
                    { name: 'Changed', of: (one) => <Time at={one.updated_at} /> },
                    {
                      name: 'Actions',
                      of: (one) => (
                        <RowActions>
                          <Button
                            blocked={
                              blocked ??
                              (one.withheld
                                ? 'Its text is hidden: you need the permission Chat to change it.'
                                : undefined)
                            }
                            aria-label={`Change ${one.question}`}
                            onClick={() => setOpen(one)}
                          >
                            Change
                          </Button>
                          <Button
                            look="quiet"
                            blocked={blocked}
                            aria-label={`Delete ${one.question}`}
                            onClick={() => setLeaving(one)}
                          >
                            Delete
                          </Button>
                        </RowActions>
                      ),
                    },
                  ]}
                />
              )}
            </ListFilter>
          )
        }
      </Loaded>
      <Dialog
        isOpen={isWriting}
        onClose={close}
        title={typeof open === 'object' ? 'Change the answer' : 'Write an answer'}
      >
        <CustomAnswerForm
          baseId={baseId}
          answer={typeof open === 'object' ? open : undefined}
          question={question ?? ''}
          onSaved={goOn}
        />
      </Dialog>
      <Dialog isOpen={leaving !== undefined} onClose={() => setLeaving(undefined)} title="Delete this answer">
        <p>“{leaving?.question}” is answered from your pages again, or not at all.</p>
        <p>
          <Button
            look="danger"
            onClick={() => {
              if (leaving !== undefined) remove.mutate(leaving.id)
              setLeaving(undefined)
            }}
          >
            Delete the answer
          </Button>
        </p>
      </Dialog>
    </Page>
  )
}

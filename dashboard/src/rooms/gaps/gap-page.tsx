import type { KnowledgeGapDetail } from '@citewell/sdk/management'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useGapChange, useKnowledgeGap } from '../../api/knowledge-gaps.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Figures } from '../../ui/figures.tsx'
import { Actions } from '../../ui/filters.tsx'
import { Form } from '../../ui/form.tsx'
import { surfaceName } from '../../ui/names.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { count, Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { GapState } from '../../ui/gap-state.tsx'

/** Whether what was done holds. */
function Held({ gap }: { gap: KnowledgeGapDetail }) {
  const { resolved_at: resolved, reopened_at: reopened } = gap
  if (reopened !== null) {
    return (
      <Banner tone="danger">
        It was marked as resolved <Time at={resolved} /> and asked again <Time at={reopened} />, without being
        covered. So it is open again.
      </Banner>
    )
  }
  if (gap.status !== 'resolved') return null
  return (
    <Banner tone="ok">
      It holds: none of its questions was left uncovered since it was resolved <Time at={resolved} />. If one
      is, it opens again by itself.
    </Banner>
  )
}

function Outcome({ covered }: { covered: boolean | null }) {
  if (covered === null) return <>–</>
  return covered ? <Status tone="ok">Covered</Status> : <Status tone="warn">Not covered</Status>
}

function Questions({ baseId, gap }: { baseId: string; gap: KnowledgeGapDetail }) {
  return (
    <Card title="Questions">
      {gap.questions.length === 0 ? (
        <Empty says="None of its questions is left uncovered or rated down." />
      ) : (
        <Table
          label="Questions"
          rows={gap.questions}
          keyOf={({ message_id: id }) => id}
          columns={[
            {
              name: 'Question',
              of: ({ query, comment, vote }) => (
                <span dir="auto">
                  {query}
                  {vote === 'down' && (
                    <>
                      <br />
                      <Status tone="danger">Rated down</Status>
                      {comment ? ` “${comment}”` : ''}
                    </>
                  )}
                </span>
              ),
            },
            { name: 'Where', of: ({ surface }) => surfaceName(surface) },
            { name: 'Asked', of: (one) => <Time at={one.asked_at} /> },
            { name: 'Result', of: ({ covered }) => <Outcome covered={covered} /> },
            { name: 'At the last replay', of: (one) => <Outcome covered={one.covered_at_replay} /> },
            {
              name: 'Steps',
              of: (one) => (
                <Link to="/kb/$baseId/traces/$messageId" params={{ baseId, messageId: one.message_id }}>
                  Trace
                </Link>
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}

function Note({
  gap,
  blocked,
  hasFailed,
  onSave,
}: {
  gap: KnowledgeGapDetail
  blocked: string | undefined
  /** Whether saving it has failed. */
  hasFailed: boolean
  onSave: (note: string | null) => void
}) {
  const stored = gap.note ?? ''
  const [known, setKnown] = useState(stored)
  const [text, setText] = useState(stored)
  // What others have saved is shown where nothing is typed, and what is typed stays.
  if (stored !== known) {
    setKnown(stored)
    if (text === known) setText(stored)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (blocked === undefined) onSave(text.trim() || null)
  }
  return (
    <Form
      hasFailed={hasFailed || blocked !== undefined}
      isSaved={text.trim() === stored.trim()}
      onSubmit={submit}
    >
      <TextArea
        label="Note"
        name="note"
        rows={3}
        maxLength={2_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="For your team: who writes what, by when."
      />
      <Button type="submit" blocked={blocked}>
        Save the note
      </Button>
    </Form>
  )
}

/** One gap: what was asked, what comes near, and what to do. */
export function GapPage() {
  const { baseId, gapId } = useParams({ from: '/kb/$baseId/gaps/$gapId' })
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { tell, tellFault } = useToasts()
  const base = useKnowledgeBase(baseId)
  const gap = useKnowledgeGap(gapId)
  const change = useGapChange(baseId)
  const [running, setRunning] = useState<AbortController>()
  const abort = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const blocked =
    base.data?.status === 'archived'
      ? 'This knowledge base is archived.'
      : base.data?.your_permissions.includes('config') === true
        ? undefined
        : 'This needs the permission Config on the knowledge base.'
  const replay = useMutation({
    mutationFn: async (controller: AbortController) =>
      await api.replayKnowledgeGap(gapId, { signal: controller.signal }),
    onSuccess: async ({ questions, covered }) => {
      tell(`Now ${covered} of ${questions} covered.`)
      await client.invalidateQueries({ queryKey: ['knowledge-gap', gapId] })
      await client.invalidateQueries({ queryKey: ['knowledge-gaps', baseId] })
    },
    onError: (error, { signal }) => {
      if (!signal.aborted) tellFault(error)
    },
    onSettled: () => setRunning(undefined),
  })
  function start(): void {
    const controller = new AbortController()
    abort.current = controller
    setRunning(controller)
    replay.mutate(controller)
  }
  const set = (given: Parameters<typeof change.mutate>[0], says: string) =>
    change.mutate(given, { onSuccess: () => tell(says), onError: tellFault })
  return (
    <Page
      title={gap.data?.label ?? 'Knowledge gap'}
      lead={
        <Link to="/kb/$baseId/gaps" params={{ baseId }}>
          All knowledge gaps
        </Link>
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={gap}>
          {(loaded) => (
            <>
              <Held gap={loaded} />
              <Figures
                figures={[
                  { name: 'Asked', value: count(loaded.count), note: 'questions that were left open' },
                  { name: 'Not covered', value: count(loaded.not_covered) },
                  { name: 'Rated down', value: count(loaded.rated_down) },
                  {
                    name: 'Covered at the last replay',
                    value:
                      loaded.last_replay === null
                        ? '–'
                        : `${count(loaded.last_replay.covered)} of ${count(loaded.last_replay.questions)}`,
                  },
                ]}
              />
              <Card title="What to do" aside={<GapState gap={loaded} />}>
                <Actions>
                  {loaded.custom_answer_id === null ? (
                    <Button
                      look="primary"
                      blocked={blocked}
                      onClick={() =>
                        void navigate({
                          to: '/kb/$baseId/answers',
                          params: { baseId },
                          search: { question: loaded.label, gap: gapId },
                        })
                      }
                    >
                      Write an answer
                    </Button>
                  ) : (
                    <Link to="/kb/$baseId/answers" params={{ baseId }}>
                      It has a custom answer
                    </Link>
                  )}
                  {running === undefined ? (
                    <Button blocked={blocked} onClick={start}>
                      Replay all questions
                    </Button>
                  ) : (
                    <Button onClick={() => running.abort()}>Cancel the replay</Button>
                  )}
                  {loaded.status === 'open' ? (
                    <>
                      <Button
                        blocked={blocked}
                        onClick={() =>
                          set(
                            { id: gapId, status: 'resolved' },
                            'The gap is marked as resolved. It opens again by itself if that does not hold.',
                          )
                        }
                      >
                        Mark as resolved
                      </Button>
                      <Button
                        look="quiet"
                        blocked={blocked}
                        onClick={() => set({ id: gapId, status: 'dismissed' }, 'The gap is dismissed.')}
                      >
                        Dismiss
                      </Button>
                    </>
                  ) : (
                    <Button
                      blocked={blocked}
                      onClick={() => set({ id: gapId, status: 'open' }, 'The gap is open.')}
                    >
                      Open it again
                    </Button>
                  )}
                </Actions>
                <p role="status">
                  {running !== undefined &&
                    'Asking its questions again. With a language model this takes some seconds for each.'}
                  {running === undefined && replay.data !== undefined && (
                    <>
                      Now {count(replay.data.covered)} of {count(replay.data.questions)} covered
                      {replay.data.failed > 0 && `, ${count(replay.data.failed)} failed`}
                      {replay.data.left_out > 0 && `, ${count(replay.data.left_out)} left out`}.
                    </>
                  )}
                </p>
                <Note
                  gap={loaded}
                  hasFailed={change.isError}
                  blocked={blocked}
                  onSave={(note) => set({ id: gapId, note }, 'The note was saved.')}
                />
              </Card>
              <Questions baseId={baseId} gap={loaded} />
              <Card title="Closest pages">
                {loaded.closest_pages.length === 0 ? (
                  <p>No page that you may read comes close.</p>
                ) : (
                  <Table
                    label="Closest pages"
                    rows={loaded.closest_pages}
                    keyOf={({ document_id: id }) => id}
                    columns={[
                      { name: 'Page', of: ({ title, url }) => <a href={url}>{title}</a> },
                      { name: 'Best score', isNumber: true, of: ({ score }) => score.toFixed(2) },
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

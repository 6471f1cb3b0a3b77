import type { KnowledgeBase } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type DragEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextInput, useFieldFault } from '../../ui/field.tsx'
import classes from './starter-questions-field.module.css'

const MODES = [
  ['generated', 'From the titles of public pages'],
  ['own', 'My own questions'],
  ['none', 'None'],
] as const

export type StarterMode = (typeof MODES)[number][0]

export const starterModeOf = (value: unknown): StarterMode =>
  MODES.find(([mode]) => mode === value)?.[0] ?? 'generated'

const MOST_QUESTIONS = 8
const MOST_CHARACTERS = 200

/** What readers are offered now. */
function Generated({ base }: { base: KnowledgeBase }) {
  const api = useApi()
  const isShown = base.starter_questions.mode === 'generated' && base.status === 'active'
  const mayAsk = base.your_permissions.includes('chat')
  const suggested = useQuery({
    queryKey: ['suggested', base.id],
    queryFn: ({ signal }) => api.suggestQuestionsToMember(base.id, { signal }),
    enabled: isShown && mayAsk,
  })
  if (!isShown) return <p className={classes['note']}>They are written after you have saved this.</p>
  if (!mayAsk) return <p className={classes['note']}>You need the permission Chat to see them.</p>
  if (suggested.data === undefined) return null
  if (suggested.data.questions.length === 0)
    return <p className={classes['note']}>There are none yet: no public page has been read.</p>
  return (
    <>
      <p className={classes['note']}>Readers are offered now:</p>
      <ul className={classes['generated']} aria-label="Questions that readers are offered">
        {suggested.data.questions.map((question) => (
          <li key={question} dir="auto">
            {question}
          </li>
        ))}
      </ul>
    </>
  )
}

interface Row {
  id: number
  text: string
}

/** A copy of the list with one of its members at another place. */
const moved = (rows: readonly Row[], from: number, to: number): Row[] => {
  const rest = rows.toSpliced(from, 1)
  const row = rows[from]
  return row === undefined ? [...rows] : rest.toSpliced(to, 0, row)
}

/** The owner's questions in their order, which is changed by dragging or by buttons. */
function OwnQuestions({ questions }: { questions: readonly string[] }) {
  const [rows, setRows] = useState<readonly Row[]>(() => questions.map((text, id) => ({ id, text })))
  const [dragged, drag] = useState<number>()
  const next = useRef(questions.length)
  const list = useRef<HTMLOListElement>(null)
  const error = useFieldFault('starter_questions.questions')
  // The form looks at its fields when one of them says that it was changed; adding and moving rows says nothing by itself.
  const order = rows.map(({ id }) => id).join(' ')
  const shownOrder = useRef(order)
  useEffect(() => {
    if (shownOrder.current === order) return
    shownOrder.current = order
    list.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [order])

  function onDrop(event: DragEvent, to: number): void {
    event.preventDefault()
    if (dragged !== undefined) setRows(moved(rows, dragged, to))
    drag(undefined)
  }
  return (
    <fieldset className={classes['own']}>
      <legend>My own questions</legend>
      <ol ref={list}>
        {rows.map(({ id, text }, at) => (
          <li
            key={id}
            data-dragged={dragged === at ? '' : undefined}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => onDrop(event, at)}
          >
            <span
              className={classes['handle']}
              draggable
              aria-hidden="true"
              title="Drag to move"
              onDragStart={(event) => {
                event.dataTransfer.setData('text/plain', text)
                drag(at)
              }}
              onDragEnd={() => drag(undefined)}
            >
              ⠿
            </span>
            <TextInput
              label={`Question ${at + 1}`}
              name="question"
              defaultValue={text}
              maxLength={MOST_CHARACTERS}
            />
            <span className={classes['moves']}>
              <Button
                look="quiet"
                aria-label={`Move question ${at + 1} up`}
                blocked={at === 0 ? 'It is the first question.' : undefined}
                onClick={() => setRows(moved(rows, at, at - 1))}
              >
                ↑
              </Button>
              <Button
                look="quiet"
                aria-label={`Move question ${at + 1} down`}
                blocked={at === rows.length - 1 ? 'It is the last question.' : undefined}
                onClick={() => setRows(moved(rows, at, at + 1))}
              >
                ↓
              </Button>
              <Button
                look="quiet"
                aria-label={`Remove question ${at + 1}`}
                onClick={() => setRows(rows.toSpliced(at, 1))}
              >
                ✕
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {error !== undefined && <p className={classes['error']}>{error}</p>}
      <Button
        blocked={rows.length >= MOST_QUESTIONS ? `There are at most ${MOST_QUESTIONS} questions.` : undefined}
        onClick={() => {
          setRows([...rows, { id: next.current, text: '' }])
          next.current += 1
        }}
      >
        Add a question
      </Button>
    </fieldset>
  )
}

/** What a reader is offered before the first question: fields of a form. */
export function StarterQuestionsField({ base }: { base: KnowledgeBase }) {
  const [mode, setMode] = useState<StarterMode>(base.starter_questions.mode)
  return (
    <>
      <Select
        label="Starter questions"
        name="mode"
        options={MODES}
        value={mode}
        onChange={(event) => setMode(starterModeOf(event.target.value))}
        hint="What a reader is offered before the first question."
      />
      {mode === 'generated' && <Generated base={base} />}
      {/* It stays in the form, so that the list is kept while another way is tried. */}
      <div hidden={mode !== 'own'}>
        <OwnQuestions questions={base.starter_questions.questions} />
      </div>
    </>
  )
}

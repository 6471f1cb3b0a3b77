import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { ChangedMeanwhile, changedMeanwhile, isRecord, Overtaken, withChange } from './changed-meanwhile.tsx'
import { CopyCurl } from './copy-curl.tsx'
import type { ApiRequest } from './curl.ts'
import { Fault } from './fault.tsx'
import { FieldFaultsProvider } from './field.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { Card } from './page.tsx'
import classes from './save-form.module.css'
import { useToasts } from './toast.tsx'

/** The fields that differ from what was shown or saved last; of an object, those of its own fields. */
function differing<Change extends object>(now: Change, before: Partial<Change>): Partial<Change> {
  const changed = Object.entries(now).flatMap(([field, value]: [string, unknown]) => {
    const earlier: unknown = before[field as keyof Change]
    if (JSON.stringify(value) === JSON.stringify(earlier)) return []
    return [[field, isRecord(value) && isRecord(earlier) ? differing(value, earlier) : value]]
  })
  return Object.fromEntries(changed) as Partial<Change>
}

/** The words of the label of a field, by its path in the request; of a part of a field, those of the field. */
function labelOf(form: HTMLFormElement | null, path: string): string | undefined {
  const control = form?.elements.namedItem(path)
  const label =
    control instanceof HTMLElement && 'labels' in control ? (control.labels as NodeList | null) : null
  const above = path.lastIndexOf('.')
  return label?.[0]?.textContent ?? (above === -1 ? undefined : labelOf(form, path.slice(0, above)))
}

/**
 * A part of the settings with its own Save. Only what was changed here is sent: what others change meanwhile stays as they left it, and what
 * is typed stays when they do, or when saving fails. Where both changed the same field, the person is asked whose counts.
 */
export function SaveForm<Change extends object>({
  title,
  blocked,
  record,
  readRecord,
  changeOf,
  save,
  requestOf,
  children,
}: {
  title: string
  /** Why nothing can be changed here. */
  blocked?: string | undefined
  /** The settings that the fields show, as the service gave them; its fields are named as those of a change. */
  record: object
  /** Reads them again, to see what others have changed meanwhile. */
  readRecord: () => Promise<object>
  /** What the fields of the form say now. The same function at each render. */
  changeOf: (form: FormData) => Change
  save: (change: Partial<Change>) => Promise<unknown>
  /** The request that saving sends. */
  requestOf: (change: Partial<Change>) => ApiRequest
  children: ReactNode
}) {
  const { tell } = useToasts()
  const form = useRef<HTMLFormElement>(null)
  const shown = useRef<Partial<Change>>({})
  const [isDirty, setDirty] = useState(false)
  const [round, setRound] = useState(0)
  const known = useRef(record)
  const latest = useRef(record)
  const saving = useMutation({
    mutationFn: async ({ change, isChecked }: { change: Partial<Change>; isChecked: boolean }) => {
      if (isChecked) {
        const now = await readRecord()
        const fields = changedMeanwhile(change, known.current, now)
        if (fields.length > 0) throw new Overtaken(fields, now)
      }
      return await save(change)
    },
  })
  const isReadOnly = blocked !== undefined

  const readChange = useCallback(
    (): Partial<Change> =>
      form.current === null ? {} : differing(changeOf(new FormData(form.current)), shown.current),
    [changeOf],
  )
  // Fields that are disabled are not in a form: what was shown is read when they are there.
  useEffect(() => {
    if (form.current === null) return
    shown.current = changeOf(new FormData(form.current))
    known.current = latest.current
    setDirty(false)
  }, [isReadOnly, changeOf, round])
  // What others have saved is shown at once where nothing is typed.
  useEffect(() => {
    latest.current = record
    if (!isDirty && changedMeanwhile(shown.current, known.current, record).length > 0)
      setRound((at) => at + 1)
  }, [record, isDirty])

  function send(change: Partial<Change>, isChecked: boolean): void {
    if (form.current === null) return
    const now = changeOf(new FormData(form.current))
    saving.mutate(
      { change, isChecked },
      {
        onSuccess: () => {
          shown.current = now
          known.current = withChange(known.current, change)
          setDirty(Object.keys(readChange()).length > 0)
          tell('The settings were saved.')
        },
      },
    )
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    const change = readChange()
    if (Object.keys(change).length === 0) return tell('Nothing was changed.')
    send(change, true)
  }
  /** Leaves the fields that somebody else has changed as they are now, and saves the others. */
  function keepTheirs({ fields }: Overtaken): void {
    const rest = Object.fromEntries(
      Object.entries(readChange()).filter(([field]) => !fields.includes(field)),
    ) as Partial<Change>
    if (Object.keys(rest).length === 0) return discard()
    send(rest, true)
  }
  function discard(): void {
    saving.reset()
    setRound(round + 1)
  }
  return (
    <Card title={title}>
      <form ref={form} onSubmit={submit} onInput={() => setDirty(Object.keys(readChange()).length > 0)}>
        <fieldset disabled={isReadOnly} title={blocked}>
          <FieldFaultsProvider value={saving.error}>
            <div key={round}>{children}</div>
          </FieldFaultsProvider>
          {saving.error instanceof Overtaken ? (
            <ChangedMeanwhile
              overtaken={saving.error}
              nameOf={(field) => labelOf(form.current, field) ?? field.replaceAll('_', ' ')}
              onSaveMine={() => send(readChange(), false)}
              onKeepTheirs={keepTheirs}
            />
          ) : (
            saving.isError && <Fault error={saving.error} nameOf={(path) => labelOf(form.current, path)} />
          )}
          <div className={[classes['bar'], isDirty && classes['dirty']].filter(Boolean).join(' ')}>
            <Button look="primary" type="submit" disabled={saving.isPending}>
              Save
            </Button>
            {isDirty && (
              <>
                <Button onClick={discard} disabled={saving.isPending}>
                  Discard
                </Button>
                <CopyCurl requestOf={() => requestOf(readChange())} />
                <span role="status">You have changes that are not saved.</span>
              </>
            )}
          </div>
        </fieldset>
      </form>
      <LeaveGuard isDirty={isDirty} />
    </Card>
  )
}

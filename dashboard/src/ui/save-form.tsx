import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyCurl } from './copy-curl.tsx'
import type { ApiRequest } from './curl.ts'
import { Dialog } from './dialog.tsx'
import { Fault } from './fault.tsx'
import { FieldFaultsProvider } from './field.tsx'
import { Card } from './page.tsx'
import classes from './save-form.module.css'
import { useToasts } from './toast.tsx'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that differ from what was shown or saved last; of an object, those of its own fields. */
function differing<Change extends object>(now: Change, before: Partial<Change>): Partial<Change> {
  const changed = Object.entries(now).flatMap(([field, value]: [string, unknown]) => {
    const earlier: unknown = before[field as keyof Change]
    if (JSON.stringify(value) === JSON.stringify(earlier)) return []
    return [[field, isRecord(value) && isRecord(earlier) ? differing(value, earlier) : value]]
  })
  return Object.fromEntries(changed) as Partial<Change>
}

/** Asks before a screen is left with changes that were not saved. */
function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Dialog
      isOpen={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      title="Leave without saving?"
    >
      <p>What you changed on this screen is not saved.</p>
      <p className={classes['bar']}>
        <Button onClick={() => leaving.reset?.()}>Stay here</Button>
        <Button look="danger" onClick={() => leaving.proceed?.()}>
          Leave without saving
        </Button>
      </p>
    </Dialog>
  )
}

/**
 * A part of the settings with its own Save. Only what was changed here is sent: what others change meanwhile stays as they left it, and what
 * is typed stays when they do, or when saving fails.
 */
export function SaveForm<Change extends object>({
  title,
  blocked,
  changeOf,
  save,
  requestOf,
  children,
}: {
  title: string
  /** Why nothing can be changed here. */
  blocked?: string | undefined
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
  const saving = useMutation({ mutationFn: save })
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
    setDirty(false)
  }, [isReadOnly, changeOf, round])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const change = readChange()
    if (form.current === null || Object.keys(change).length === 0) return tell('Nothing was changed.')
    const now = changeOf(new FormData(form.current))
    saving.mutate(change, {
      onSuccess: () => {
        shown.current = now
        setDirty(Object.keys(readChange()).length > 0)
        tell('The settings were saved.')
      },
    })
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
          {saving.isError && <Fault error={saving.error} />}
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

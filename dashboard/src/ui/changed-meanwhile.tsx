import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import classes from './changed-meanwhile.module.css'
import { RowActions } from './row-actions.tsx'
import { Banner } from './status.tsx'

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldOf = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

/** Whether a value was changed by somebody else, to something else; of an object, one of the fields that are changed here. */
const isOvertaken = (mine: unknown, known: unknown, now: unknown): boolean =>
  isRecord(mine) && isRecord(known) && isRecord(now)
    ? Object.keys(mine).some((field) => isOvertaken(mine[field], known[field], now[field]))
    : differs(known, now) && differs(mine, now)

/** A record with the fields of a change, which may have only some fields of an object. */
export function withChange<Whole extends object>(record: Whole, change: object): Whole {
  const changed = Object.entries(change).map(([field, value]: [string, unknown]) => {
    const before = fieldOf(record, field)
    return [field, isRecord(value) && isRecord(before) ? withChange(before, value) : value]
  })
  return { ...record, ...(Object.fromEntries(changed) as Partial<Whole>) }
}

/** Longest value that is shown. */
const SHOWN_CHARACTERS = 200

/**
 * The fields of a change that somebody else has changed since they were shown, to something else.
 *
 * @param known - the record as it was shown
 * @param now - the record as it is
 */
export function changedMeanwhile(change: object, known: object, now: object): string[] {
  return Object.keys(change).filter((field) =>
    isOvertaken(fieldOf(change, field), fieldOf(known, field), fieldOf(now, field)),
  )
}

/** A change was not sent, because somebody else has changed the same fields. */
export class Overtaken extends Error {
  readonly fields: readonly string[]
  readonly now: object
  constructor(fields: readonly string[], now: object) {
    super('Somebody else has changed the same settings.')
    this.fields = fields
    this.now = now
  }
}

/** A value in words; undefined: it is not one that a sentence can name. */
function wordsOf(value: unknown): string | undefined {
  if (value === null || value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const words = String(value)
  return `“${words.length > SHOWN_CHARACTERS ? `${words.slice(0, SHOWN_CHARACTERS)}…` : words}”`
}

/** Says what somebody else has changed, and asks whose change counts. */
export function ChangedMeanwhile({
  overtaken,
  nameOf,
  onSaveMine,
  onKeepTheirs,
}: {
  overtaken: Overtaken
  nameOf: (field: string) => string
  onSaveMine: () => void
  onKeepTheirs: (overtaken: Overtaken) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  // The bar with Save would cover it.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' })
  }, [overtaken])
  return (
    <Banner tone="warn">
      <div ref={place} className={classes['asked']}>
        <p>Somebody else has changed this since you opened it. Nothing was saved yet.</p>
        <ul>
          {overtaken.fields.map((field) => {
            const words = wordsOf(fieldOf(overtaken.now, field))
            return (
              <li key={field} dir="auto">
                <strong>{nameOf(field)}</strong>{' '}
                {words === undefined ? 'is another one now' : `is ${words} now`}
              </li>
            )
          })}
        </ul>
        <RowActions>
          <Button onClick={onSaveMine}>Save mine instead</Button>
          <Button onClick={() => onKeepTheirs(overtaken)}>Keep theirs</Button>
        </RowActions>
      </div>
    </Banner>
  )
}

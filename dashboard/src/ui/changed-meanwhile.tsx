import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import classes from './changed-meanwhile.module.css'
import { RowActions } from './row-actions.tsx'
import { Banner } from './status.tsx'

const fieldOf = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]

/** Longest value that is shown. */
const SHOWN_CHARACTERS = 200

/**
 * The fields of a change that somebody else has changed since they were shown, to something else.
 *
 * @param known - the record as it was shown
 * @param now - the record as it is
 */
export function changedMeanwhile(change: object, known: object, now: object): string[] {
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  return Object.keys(change).filter(
    (field) =>
      differs(fieldOf(known, field), fieldOf(now, field)) &&
      differs(fieldOf(change, field), fieldOf(now, field)),
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

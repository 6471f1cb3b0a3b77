import type { Approval } from '@citewell/sdk/management'
import classes from './approvals.module.css'

/** A value as a person reads it. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return JSON.stringify(value)
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null

/** What an action gets, field by field. */
export function ActionInput({ action }: { action: NonNullable<Approval['action']> }) {
  const fields = Object.entries(action.input)
  return (
    <section className={classes['content']} aria-label={`Action ${action.name}`}>
      <h3>
        <code>{action.name}</code>
      </h3>
      {fields.length === 0 ? (
        <p>Without any value.</p>
      ) : (
        <dl className={classes['input']}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">
                {isNested(value) ? <code>{JSON.stringify(value, null, 2)}</code> : shownValue(value)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

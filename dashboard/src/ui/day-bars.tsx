import { useState } from 'react'
import { Button } from './button.tsx'
import { PARTS, partsOf, saidOf, type Day } from './day-parts.ts'
import { Table } from './table.tsx'
import { count } from './time.tsx'
import classes from './day-bars.module.css'

const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The bar of a day: what became of its questions, one part on the other. */
function Bar({ day, at, most }: { day: Day; at: number; most: number }) {
  const parts = partsOf(day)
  let top = 100
  return (
    <g>
      <title>{`${dayName.format(new Date(day.day))}: ${saidOf(day)}`}</title>
      <rect className={classes['base']} x={at * 12 + 1} y={99} width={10} height={1} />
      {PARTS.map(([part]) => {
        const height = (parts[part] / most) * 96
        top -= height
        return (
          <rect key={part} className={classes[part]} x={at * 12 + 1} y={top} width={10} height={height} />
        )
      })}
    </g>
  )
}

/** Questions by day, with what became of them. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const [isTable, setTable] = useState(false)
  const most = Math.max(1, ...days.map(({ questions }) => questions))
  const sum = (of: 'questions' | 'finished' | 'not_covered') => days.reduce((so, day) => so + day[of], 0)
  const total = { questions: sum('questions'), finished: sum('finished'), not_covered: sum('not_covered') }
  const parts = partsOf(total)
  const isEmpty = total.questions === 0
  const says = isEmpty
    ? `No question in the last ${days.length} days.`
    : `${saidOf(total, ` in ${days.length} days (UTC)`)}.`
  return (
    <figure className={classes['figure']}>
      <figcaption>
        <span>{says}</span>
        {!isEmpty && (
          <Button look="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as bars' : 'Show as table'}
          </Button>
        )}
      </figcaption>
      {isEmpty ? null : isTable ? (
        <Table
          label="Questions by day"
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { name: 'Day', of: ({ day }) => day },
            { name: 'Questions', isNumber: true, of: ({ questions }) => count(questions) },
            { name: 'Covered', isNumber: true, of: (day) => count(partsOf(day).covered) },
            { name: 'Not covered', isNumber: true, of: (day) => count(day.not_covered) },
            {
              name: 'Without a complete answer',
              isNumber: true,
              of: (day) => count(partsOf(day).unfinished),
            },
          ]}
        />
      ) : (
        <>
          <svg
            viewBox={`0 0 ${days.length * 12} 100`}
            preserveAspectRatio="none"
            role="img"
            aria-label={says}
            className={classes['bars']}
          >
            {days.map((day, at) => (
              <Bar key={day.day} day={day} at={at} most={most} />
            ))}
          </svg>
          <p className={classes['ends']}>
            {[days[0], days.at(-1)].map(
              (day) => day !== undefined && <span key={day.day}>{dayName.format(new Date(day.day))}</span>,
            )}
          </p>
          <ul className={classes['legend']} aria-hidden="true">
            {PARTS.toReversed()
              .filter(([part]) => part === 'covered' || parts[part] > 0)
              .map(([part, name]) => (
                <li key={part}>
                  <svg viewBox="0 0 10 10" className={classes['sign']}>
                    <rect className={classes[part]} width={10} height={10} />
                  </svg>
                  {name}
                </li>
              ))}
            <li>highest: {count(most)} in a day</li>
          </ul>
        </>
      )}
    </figure>
  )
}

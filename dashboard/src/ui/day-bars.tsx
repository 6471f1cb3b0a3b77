import type { Analytics } from '@citewell/sdk/management'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Table } from './table.tsx'
import { count, counted } from './time.tsx'
import classes from './day-bars.module.css'

const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Questions by day, with those on top that were not covered. */
export function DayBars({
  days,
}: {
  days: readonly Pick<Analytics['days'][number], 'day' | 'questions' | 'not_covered'>[]
}) {
  const [isTable, setTable] = useState(false)
  const most = Math.max(1, ...days.map(({ questions }) => questions))
  const total = days.reduce((sum, { questions }) => sum + questions, 0)
  const open = days.reduce((sum, day) => sum + day.not_covered, 0)
  const says =
    total === 0
      ? `No question in the last ${days.length} days.`
      : `${counted(total, 'question')} in ${days.length} days (UTC), ${count(open)} of them not covered.`
  return (
    <figure className={classes['figure']}>
      <figcaption>
        <span>{says}</span>
        {total > 0 && (
          <Button look="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as bars' : 'Show as table'}
          </Button>
        )}
      </figcaption>
      {total === 0 ? null : isTable ? (
        <Table
          label="Questions by day"
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { name: 'Day', of: ({ day }) => day },
            { name: 'Questions', isNumber: true, of: ({ questions }) => count(questions) },
            { name: 'Not covered', isNumber: true, of: (day) => count(day.not_covered) },
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
              <g key={day.day}>
                <title>{`${dayName.format(new Date(day.day))}: ${counted(day.questions, 'question')}, ${count(day.not_covered)} not covered`}</title>
                <rect className={classes['base']} x={at * 12 + 1} y={99} width={10} height={1} />
                {(['questions', 'not_covered'] as const).map((which) => (
                  <rect
                    key={which}
                    className={classes[which]}
                    x={at * 12 + 1}
                    y={100 - (day.questions / most) * 96}
                    width={10}
                    height={(day[which] / most) * 96}
                  />
                ))}
              </g>
            ))}
          </svg>
          <p className={classes['ends']}>
            {[days[0], days.at(-1)].map(
              (day) => day !== undefined && <span key={day.day}>{dayName.format(new Date(day.day))}</span>,
            )}
          </p>
          <ul className={classes['legend']} aria-hidden="true">
            <li className={classes['legendQuestions']}>questions</li>
            {open > 0 && <li className={classes['legendNotCovered']}>of these not covered</li>}
            <li>highest: {count(most)} in a day</li>
          </ul>
        </>
      )}
    </figure>
  )
}

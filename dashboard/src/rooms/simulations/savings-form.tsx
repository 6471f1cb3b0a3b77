import type { SimulationReport } from '@citewell/sdk/management'
import { useState } from 'react'
import { TextInput } from '../../ui/field.tsx'
import { count } from '../../ui/time.tsx'
import { savingsOf, type SavingsFactors } from './figures-in-words.ts'
import classes from './simulations.module.css'

const FIELDS = [
  ['ticketsAMonth', 'Tickets a month'],
  ['minutesATicket', 'Minutes a person takes for one'],
  ['costAnHour', 'Cost of an hour'],
  ['costAnAnswer', 'Cost of the model for one ticket'],
] as const satisfies readonly (readonly [keyof SavingsFactors, string])[]

const numberOf = (text: string): number | undefined => {
  const value = Number(text.replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** What a month would save, by factors that the reader enters: nothing is assumed. Shown only when it is known how many answers are right. */
export function SavingsForm({ solved }: { solved: SimulationReport['solved'] }) {
  const [typed, setTyped] = useState<Record<keyof SavingsFactors, string>>({
    ticketsAMonth: '',
    minutesATicket: '',
    costAnHour: '',
    costAnAnswer: '0',
  })
  const [ticketsAMonth, minutesATicket, costAnHour, costAnAnswer] = FIELDS.map(([name]) =>
    numberOf(typed[name]),
  )
  const isWhole =
    ticketsAMonth !== undefined &&
    minutesATicket !== undefined &&
    costAnHour !== undefined &&
    costAnAnswer !== undefined
  const factors = isWhole ? { ticketsAMonth, minutesATicket, costAnHour, costAnAnswer } : undefined
  return (
    <details className={classes['savings']}>
      <summary>What it would save</summary>
      {solved === null ? (
        <p>Review 30 answers first: what is answered wrongly saves nothing.</p>
      ) : (
        <>
          <div className={classes['factors']}>
            {FIELDS.map(([name, label]) => (
              <TextInput
                key={name}
                label={label}
                inputMode="decimal"
                value={typed[name]}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
            ))}
          </div>
          <p role="status">
            {factors === undefined ? 'Enter your own numbers: none is assumed.' : saidOf(solved, factors)}
          </p>
        </>
      )}
    </details>
  )
}

function saidOf(solved: NonNullable<SimulationReport['solved']>, factors: SavingsFactors): string {
  const [least, likely, most] = [solved.low, solved.rate, solved.high].map((share) =>
    savingsOf(share, factors),
  )
  const said = (of: 'hours' | 'money') =>
    `${count(Math.round(likely?.[of] ?? 0))} (${count(Math.round(least?.[of] ?? 0))} to ${count(Math.round(most?.[of] ?? 0))})`
  return `${said('hours')} hours of people a month; ${said('money')} in your currency, after the model's cost.`
}

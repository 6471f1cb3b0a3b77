import type { SimulationReport, TicketSample } from '@citewell/sdk/management'

type Rate = SimulationReport['tried']

const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A share as a percentage with one digit: what an interval of a thousand tickets tells. */
export const percent1 = (share: number): string => `${oneDigit.format(share * 100)} %`

export const interval = ({ low, high }: { low: number; high: number }): string =>
  `${oneDigit.format(low * 100)} to ${percent1(high)}`

/** A rate, or the counts where so few tickets allow none. */
export const rateInWords = ({ answered, of, rate }: Pick<Rate, 'answered' | 'of' | 'rate'>): string =>
  rate === null ? `${whole.format(answered)} of ${whole.format(of)}` : percent1(rate)

/** How a sample was drawn. */
export const drawnBy = ({ by }: Pick<TicketSample, 'by'>): string =>
  by === 'random' ? 'at random' : 'by month and tag, in proportion,'

/** A duration that a person waits for. */
export function seconds(value: number): string {
  if (value < 1.5) return 'a second'
  if (value < 90) return `${whole.format(value)} seconds`
  return value < 5_400 ? `${whole.format(value / 60)} minutes` : `${whole.format(value / 3_600)} hours`
}

/** What is saved, in hours of people and in money. */
export interface Savings {
  hours: number
  money: number
}

/** Factors of the savings, as the reader entered them. */
export interface SavingsFactors {
  ticketsAMonth: number
  minutesATicket: number
  costAnHour: number
  costAnAnswer: number
}

/**
 * What a month saves if this share of its tickets is solved: the minutes of people, less what the model costs for every ticket.
 *
 * @example
 * savingsOf(0.3, { ticketsAMonth: 1000, minutesATicket: 10, costAnHour: 30, costAnAnswer: 0.01 }) // { hours: 50, money: 1490 }
 */
export function savingsOf(share: number, factors: SavingsFactors): Savings {
  const { ticketsAMonth, minutesATicket, costAnHour, costAnAnswer } = factors
  const hours = (ticketsAMonth * share * minutesATicket) / 60
  return { hours, money: hours * costAnHour - ticketsAMonth * costAnAnswer }
}

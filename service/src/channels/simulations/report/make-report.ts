import {
  FEWEST_FOR_RATE,
  FEWEST_REVIEWS,
  type CountedTickets,
  type SimulatedRate,
  type SimulationReport,
} from '@citewell/contract/simulation-report'
import type { LeftOutTickets, TicketSample } from '@citewell/contract/ticket-files'
import { elapsedMs } from '../../../kernel/duration.ts'
import { byChance, solvedRate, wilson, wilsonOfAnother } from './intervals.ts'
import { isAnswered, type ReportTicket } from './report-ticket.ts'

const MOST_SHOWN = 20
const MOST_CHANGED = 100
const MOST_GROUPS = 50
const THRESHOLDS = [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
/** Characters of a message. */
const LENGTHS: readonly (readonly [number, string])[] = [
  [200, 'up to 200 characters'],
  [1_000, '201 to 1,000 characters'],
  [Infinity, 'more than 1,000 characters'],
]

/** The run as the report needs it. */
export interface ReportedRun {
  left_out: LeftOutTickets[]
  sample: TicketSample | null
  gaps: SimulationReport['gaps']
  base_state: SimulationReport['base']
  started_at: Date | null
  finished_at: Date | null
}

export interface OtherRun {
  id: string
  name: string
  tickets: readonly Pick<ReportTicket, 'same' | 'outcome'>[]
}

function rateOf(answered: number, of: number): SimulatedRate {
  const isEnough = of >= FEWEST_FOR_RATE
  return {
    answered,
    of,
    rate: isEnough ? answered / of : null,
    interval: isEnough ? wilson(answered, of) : null,
    again: isEnough ? wilsonOfAnother(answered, of) : null,
  }
}

/**
 * Of all tickets with those that were left out, which count as not answered. The left-out ones count by the share of the others that was
 * tried: of a sample, and of a run that has not ended.
 */
function rateOfAll(
  answered: number,
  { tried, all }: { tried: number; all: number },
  { left_out, sample }: ReportedRun,
): SimulatedRate {
  const leftOut = left_out.reduce((sum, { count }) => sum + count, 0)
  const share = Math.min(1, tried / Math.max(1, sample?.drawn_from ?? all))
  return rateOf(answered, tried + Math.round(leftOut * share))
}

function countBy(
  tickets: readonly ReportTicket[],
  namesOf: (ticket: ReportTicket) => readonly string[],
): CountedTickets[] {
  const groups = new Map<string, { answered: number; of: number }>()
  for (const ticket of tickets) {
    for (const name of namesOf(ticket)) {
      const group = groups.get(name) ?? { answered: 0, of: 0 }
      groups.set(name, { answered: group.answered + (isAnswered(ticket) ? 1 : 0), of: group.of + 1 })
    }
  }
  return [...groups]
    .map(([name, group]) => ({
      name,
      ...group,
      rate: group.of >= FEWEST_FOR_RATE ? group.answered / group.of : null,
    }))
    .toSorted((one, other) => other.of - one.of || one.name.localeCompare(other.name, 'en'))
    .slice(0, MOST_GROUPS)
}

const monthOf = ({ asked_at: at }: ReportTicket) => (at === null ? [] : [at.toISOString().slice(0, 7)])

const lengthOf = ({ characters }: ReportTicket) =>
  LENGTHS.filter(([most], at) => characters <= most && characters > (LENGTHS[at - 1]?.[0] ?? -1)).map(
    ([, name]) => name,
  )

const byName = (groups: CountedTickets[]) =>
  groups.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

function reviewsOf(tickets: readonly ReportTicket[]) {
  const number = (review: string) => tickets.filter((ticket) => ticket.review === review).length
  const [right, partly, wrong] = [number('right'), number('partly'), number('wrong')]
  return { right, partly, wrong, reviewed: right + partly + wrong }
}

function thresholdsOf(tickets: readonly ReportTicket[], tried: number): SimulationReport['thresholds'] {
  return THRESHOLDS.map((confidence) => {
    const above = tickets.filter((ticket) => isAnswered(ticket) && (ticket.confidence ?? 0) >= confidence)
    const { right, reviewed } = reviewsOf(above)
    return {
      confidence,
      answered: above.length,
      rate: tried >= FEWEST_FOR_RATE ? above.length / tried : null,
      reviewed,
      right: reviewed === 0 ? null : right / reviewed,
    }
  })
}

function likenessOf(answered: readonly ReportTicket[]): SimulationReport['like_agent'] {
  const known = answered.flatMap(({ like_agent: likeness }) => likeness ?? [])
  if (known.length === 0) return null
  return { compared: known.length, mean: known.reduce((sum, one) => sum + one, 0) / known.length }
}

const shownOf = ({ number, ref, subject, beginning, confidence }: ReportTicket) => ({
  number,
  ref,
  subject,
  beginning,
  confidence,
})

function comparedWith(
  tickets: readonly ReportTicket[],
  other: OtherRun | undefined,
): SimulationReport['against'] {
  if (other === undefined) return null
  const before = new Map(
    // What the other run has not tried says nothing.
    other.tickets
      .filter(({ outcome }) => outcome !== null)
      .map((ticket) => [ticket.same, isAnswered(ticket)]),
  )
  const both = tickets.filter(({ same }) => before.has(same))
  const changed = both
    .filter((ticket) => isAnswered(ticket) !== before.get(ticket.same))
    .map((ticket) => ({
      ...shownOf(ticket),
      change: isAnswered(ticket) ? ('gained' as const) : ('lost' as const),
    }))
  const gained = changed.filter(({ change }) => change === 'gained').length
  const lost = changed.length - gained
  const { id, name } = other
  return {
    id,
    name,
    same: both.length,
    gained,
    lost,
    changed: changed.slice(0, MOST_CHANGED),
    by_chance: byChance(gained, lost),
  }
}

/** The figures of a simulation so far. Only what has an outcome counts; a failed answer counts as none. */
export function makeReport(
  run: ReportedRun,
  all: readonly ReportTicket[],
  other?: OtherRun,
): SimulationReport {
  const tickets = all.filter(({ outcome }) => outcome !== null)
  const answered = tickets.filter(isAnswered)
  const { right, partly, wrong, reviewed } = reviewsOf(answered)
  const isEnough = reviewed >= FEWEST_REVIEWS
  const bySureness = answered.toSorted((one, next) => (next.confidence ?? 0) - (one.confidence ?? 0))
  return {
    all: rateOfAll(answered.length, { tried: tickets.length, all: all.length }, run),
    tried: rateOf(answered.length, tickets.length),
    failed: tickets.filter(({ outcome }) => outcome === 'answer_failed').length,
    left_out: run.left_out,
    sample: run.sample,
    reviews: { right, partly, wrong, enough: isEnough },
    solved:
      isEnough && tickets.length >= FEWEST_FOR_RATE
        ? solvedRate({ answered: answered.length, of: tickets.length }, { right, reviewed })
        : null,
    like_agent: likenessOf(answered),
    by_tag: countBy(tickets, ({ tags }) => tags),
    by_month: byName(countBy(tickets, monthOf)),
    by_language: countBy(tickets, ({ language }) => (language === null ? [] : [language])),
    by_length: byName(countBy(tickets, lengthOf)),
    thresholds: thresholdsOf(tickets, tickets.length),
    gaps: run.gaps,
    surest: bySureness.slice(0, MOST_SHOWN).map(shownOf),
    doubtful: bySureness.toReversed().slice(0, MOST_SHOWN).map(shownOf),
    own_documents: tickets.filter(({ own_documents: own }) => own > 0).length,
    base: run.base_state,
    seconds:
      run.started_at === null || run.finished_at === null
        ? null
        : elapsedMs(run.started_at, run.finished_at) / 1_000,
    against: comparedWith(tickets, other),
  }
}

import { createDraws } from '../../../kernel/draws.ts'
import type { ReadTicket, TicketSample } from './ticket-found.ts'

/** So many of a list, each as likely as any other (Fisher and Yates). */
function drawFrom<Item>(items: readonly Item[], most: number, draw: () => number): Item[] {
  const left = [...items]
  const drawn: Item[] = []
  while (drawn.length < most && left.length > 0) {
    const at = Math.floor(draw() * left.length)
    const [one] = left.splice(at, 1, ...left.slice(-1))
    left.pop()
    if (one !== undefined) drawn.push(one)
  }
  return drawn
}

const stratumOf = ({ askedAt, tags }: ReadTicket) => `${askedAt?.slice(0, 7) ?? ''} ${tags[0] ?? ''}`

/** How many of each stratum: in proportion, what is left over to the largest remainders. */
function shares(sizes: readonly number[], most: number): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const exact = sizes.map((size) => (size * most) / all)
  const given = exact.map(Math.floor)
  const rest = most - given.reduce((sum, share) => sum + share, 0)
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .toSorted((one, other) => other.remainder - one.remainder)
  for (const { at } of byRemainder.slice(0, rest)) given[at] = (given[at] ?? 0) + 1
  return given
}

/** The tickets that are tried, in the order of the file. */
export function drawSample(tickets: readonly ReadTicket[], { most, by, seed }: TicketSample): ReadTicket[] {
  if (tickets.length <= most) return [...tickets]
  const draw = createDraws(seed)
  const numbers = [...tickets.keys()]
  const strata = new Map<string, number[]>()
  for (const number of numbers) {
    const ticket = tickets[number]
    const key = by === 'month_and_tag' && ticket !== undefined ? stratumOf(ticket) : ''
    const known = strata.get(key)
    if (known === undefined) strata.set(key, [number])
    else known.push(number)
  }
  const lists = [...strata.values()]
  const each = shares(
    lists.map(({ length }) => length),
    most,
  )
  const drawn = new Set(lists.flatMap((list, at) => drawFrom(list, each[at] ?? 0, draw)))
  return tickets.filter((_, number) => drawn.has(number))
}

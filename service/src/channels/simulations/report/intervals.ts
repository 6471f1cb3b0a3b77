import { createDraws } from '../../../kernel/draws.ts'

export interface Interval {
  low: number
  high: number
}

/** Two-sided, 95%: the quantile of the normal distribution. */
const Z = 1.959964

/** Draws of the bootstrap: the ends of its interval move by about half a percent of it. */
const DRAWS = 1_000

const within = (value: number) => Math.min(1, Math.max(0, value))

/**
 * The interval that holds the rate of all tickets of the kind in 95 of 100 cases (Wilson's score interval).
 *
 * Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927).
 */
export function wilson(hits: number, of: number): Interval {
  if (of === 0) return { low: 0, high: 1 }
  const rate = hits / of
  const square = Z ** 2
  const middle = rate + square / (2 * of)
  const spread = Z * Math.sqrt((rate * (1 - rate)) / of + square / (4 * of ** 2))
  const scale = 1 + square / of
  return { low: within((middle - spread) / scale), high: within((middle + spread) / scale) }
}

/**
 * The interval that holds the rate of `of` other tickets in 95 of 100 cases. Both samples err, so it is wider: Wilson's interval with the
 * variance of both, as for half as many tickets.
 */
export const wilsonOfAnother = (hits: number, of: number): Interval => wilson(hits / 2, of / 2)

/** How often a coin with this probability falls on its face; one draw for each throw, so that the result is exact. */
function throwCoins(probability: number, throws: number, draw: () => number): number {
  let hits = 0
  for (let at = 0; at < throws; at += 1) if (draw() < probability) hits += 1
  return hits
}

/**
 * The share of tickets that are answered rightly: the rate of answers times the share of right ones among those reviewed. Its interval is
 * that of a parametric bootstrap over both. The same numbers always give the same interval.
 */
export function solvedRate(
  { answered, of }: { answered: number; of: number },
  { right, reviewed }: { right: number; reviewed: number },
): { rate: number } & Interval {
  const rate = (answered / of) * (right / reviewed)
  const draw = createDraws(1)
  const rates = Array.from({ length: DRAWS }, () => {
    const answeredAgain = throwCoins(answered / of, of, draw) / of
    return answeredAgain * (throwCoins(right / reviewed, reviewed, draw) / reviewed)
  }).toSorted((one, other) => one - other)
  return {
    rate,
    low: Math.min(rate, rates[Math.floor(DRAWS * 0.025)] ?? 0),
    high: Math.max(rate, rates[Math.ceil(DRAWS * 0.975) - 1] ?? 1),
  }
}

/**
 * How likely so large a difference between two runs on the same tickets is by chance: McNemar's test, exact, two-sided.
 *
 * Source: Q. McNemar, Note on the sampling error of the difference between correlated proportions, Psychometrika 12 (1947).
 */
export function byChance(gained: number, lost: number): number {
  const all = gained + lost
  const least = Math.min(gained, lost)
  // Sums the binomial coefficients by their logarithms: 2 to the power of 2,000 is no number.
  let logarithm = -all * Math.LN2
  let sum = Math.exp(logarithm)
  for (let hits = 1; hits <= least; hits += 1) {
    logarithm += Math.log(all - hits + 1) - Math.log(hits)
    sum += Math.exp(logarithm)
  }
  return Math.min(1, 2 * sum)
}

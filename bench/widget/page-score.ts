/** Marks of a page load, in milliseconds, and its sum of layout shifts. */
export interface PageMarks {
  firstPaint: number
  largestPaint: number
  /** Over 50 ms of each long task. */
  blocking: number
  shift: number
}

/** What is good (90 of 100 points) and what is middling (50), for phones, and the weight: those of Lighthouse 10 to 13. */
const CURVES: Record<keyof PageMarks, { good: number; middling: number; weight: number }> = {
  firstPaint: { good: 1_800, middling: 3_000, weight: 10 },
  largestPaint: { good: 2_500, middling: 4_000, weight: 25 },
  blocking: { good: 200, middling: 600, weight: 30 },
  shift: { good: 0.1, middling: 0.25, weight: 25 },
}

/** Abramowitz and Stegun 7.1.26, exact to 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return Math.sign(x) * (1 - sum * Math.exp(-x * x))
}

/** Points of one mark, 0 to 1: a log-normal distribution through both points, as Lighthouse has it. */
function pointsOf(value: number, { good, middling }: { good: number; middling: number }): number {
  if (value <= 0) return 1
  /** Where the error function is 0.8: 90 of 100 points. */
  const NINETY = 0.9061938024368232
  const deviation = Math.log(value / middling) / Math.log(middling / good)
  return (1 - errorFunction(deviation * NINETY)) / 2
}

/** The performance of a page as Lighthouse counts it, 0 to 100, without its Speed Index, which needs a film of the load. */
export function scoreOf(marks: PageMarks): number {
  const names = Object.keys(CURVES) as (keyof PageMarks)[]
  const sum = names.reduce(
    (total, name) => total + CURVES[name].weight * pointsOf(marks[name], CURVES[name]),
    0,
  )
  return (100 * sum) / names.reduce((total, name) => total + CURVES[name].weight, 0)
}

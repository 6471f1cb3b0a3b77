import { existsSync, readFileSync } from 'node:fs'
import { METRIC_NAMES, METRICS, type Figures } from '../measures/metric.ts'
import type { PartReport } from './report.ts'

/** The minimum (for counts and errors the maximum) of each figure, by part. */
export type Floor = Record<string, Figures>

export interface BelowFloor {
  part: string
  metric: keyof Figures
  figure: number
  floor: number
}

/** Figures are compared with rounding tolerance: a floor must not fail by the last bit of a float. */
const SLACK = 1e-9

export function readFloor(file: string): Floor {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Floor) : {}
}

/** Figures of complete parts that are worse than their floor. Samples are not compared. */
export function belowFloor(parts: readonly PartReport[], floor: Floor): BelowFloor[] {
  return parts
    .filter(({ isSample }) => !isSample)
    .flatMap(({ name: part, figures }) =>
      METRIC_NAMES.flatMap((metric) => {
        const least = floor[part]?.[metric]
        const figure = figures[metric]
        if (least === undefined || figure === undefined) return []
        const isWorse = METRICS[metric].better === 'higher' ? figure < least - SLACK : figure > least + SLACK
        return isWorse ? [{ part, metric, figure, floor: least }] : []
      }),
    )
}

/** The floor, with complete parts set to their figures less the tolerance. */
export function raisedFloor(parts: readonly PartReport[], before: Floor): Floor {
  const whole = parts.filter(({ isSample }) => !isSample)
  const raised = whole.map(({ name, figures }): [string, Figures] => {
    const held = METRIC_NAMES.flatMap((metric): [keyof Figures, number][] => {
      const figure = figures[metric]
      const { floor, better, tolerance } = METRICS[metric]
      if (figure === undefined || floor === 'none') return []
      if (better === 'lower') return [[metric, figure + tolerance]]
      // Rounded down: the floor is never above what was measured.
      return [[metric, Math.max(0, Math.floor((figure - tolerance) * 1_000) / 1_000)]]
    })
    return [name, Object.fromEntries(held)]
  })
  const all = { ...before, ...Object.fromEntries(raised) }
  return Object.fromEntries(Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1)))
}

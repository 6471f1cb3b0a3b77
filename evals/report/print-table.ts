import { isCount, METRIC_NAMES, METRICS, type Figures, type MetricName } from '../measures/metric.ts'
import { REFERENCES } from '../sets/references.ts'
import type { PartReport } from './report.ts'

/** `.873`, and `1.00`, `0`: three digits, without the leading zero of fractions. */
export function figureText(metric: MetricName, value: number | undefined): string {
  if (value === undefined) return ''
  if (isCount(metric)) return String(value)
  return value >= 0.9995 ? '1.00' : value.toFixed(3).replace(/^0/, '')
}

/** `+.012`; empty if the shown figures are equal. */
export function changeText(metric: MetricName, now: number | undefined, before: number | undefined): string {
  if (now === undefined || before === undefined) return ''
  const change = now - before
  if (isCount(metric)) return change === 0 ? '' : `${change > 0 ? '+' : '−'}${Math.abs(change)}`
  if (Math.abs(change) < 0.0005) return ''
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(3).replace(/^0/, '')}`
}

/** Whether a figure reaches its target; undefined without one. */
export function isReached(
  metric: MetricName,
  figures: Figures,
  target: Figures | undefined,
): boolean | undefined {
  const [figure, wanted] = [figures[metric], target?.[metric]]
  if (figure === undefined || wanted === undefined) return undefined
  // As displayed: .9296 counts as .930.
  const shown = Math.round(figure * 1_000) / 1_000
  return METRICS[metric].better === 'higher' ? shown >= wanted : shown <= wanted
}

/** A table of all figures for a terminal. */
export function printTable(parts: readonly PartReport[]): string {
  const rows = parts.flatMap(({ name, questions, isSample, figures, previous }) => {
    const { bm25, target } = REFERENCES[name] ?? {}
    const metrics = METRIC_NAMES.filter((metric) => figures[metric] !== undefined)
    return metrics.map((metric, place) => [
      place === 0 ? name : '',
      place === 0 ? `${questions}${isSample ? ' (sample)' : ''}` : '',
      METRICS[metric].label,
      figureText(metric, figures[metric]),
      changeText(metric, figures[metric], previous?.[metric]),
      figureText(metric, bm25?.[metric]),
      figureText(metric, target?.[metric]),
      { true: '✓', false: '✗', undefined: '' }[String(isReached(metric, figures, target))] ?? '',
    ])
  })
  const all = [['set', 'questions', 'measure', 'now', 'change', 'BM25', 'target', ''], ...rows]
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const isNumber = (column: number) => column >= 3 && column <= 6
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

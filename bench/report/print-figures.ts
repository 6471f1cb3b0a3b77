import type { Figure } from '../figure.ts'

/** The number that the target applies to. */
const judged = ({ value, p95 }: Figure) => value ?? p95

/** Whether the target is reached; undefined without one. */
export function isReached(figure: Figure): boolean | undefined {
  const { target } = figure
  const reached = judged(figure)
  if (target === undefined || reached === undefined) return undefined
  return reached <= (target.most ?? Infinity) && reached >= (target.least ?? -Infinity)
}

const number = (value: number | undefined) => {
  if (value === undefined) return ''
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

function targetText({ target }: Figure): string {
  if (target?.most !== undefined) return `≤ ${target.most}`
  return target?.least === undefined ? '' : `≥ ${target.least}`
}

const HEADINGS = ['', 'unit', 'n', 'p50', 'p95', 'p99', 'value', 'bare', 'ratio', 'target', 'reached']

function cellsOf(figure: Figure): string[] {
  const reached = isReached(figure)
  return [
    figure.name,
    figure.unit,
    String(figure.n),
    ...[figure.p50, figure.p95, figure.p99, figure.value, figure.baseline, figure.ratio].map(number),
    targetText(figure),
    reached === undefined ? '' : reached ? 'yes' : 'NO',
  ]
}

/** A table for a terminal, with notes below their rows. */
export function figuresTable(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(cellsOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return rows
    .flatMap((row, place) => [
      line(row),
      ...(figures[place - 1]?.note === undefined ? [] : [`    ${figures[place - 1]?.note}`]),
    ])
    .join('\n')
}

import { calibrationBins, calibrationError, type Judged } from '../measures/refusal.ts'
import { figureText } from '../report/print-table.ts'
import { escaped, panel } from './markup.ts'

const SIZE = 100

/** A reliability diagram: confidence on the x axis, outcome on the y axis. On the diagonal the confidence is exact. */
export function calibrationPlot(name: string, judged: readonly Judged[]): string {
  if (judged.length === 0) return ''
  const bins = calibrationBins(judged)
  const most = Math.max(...bins.map(({ count }) => count))
  const x = (share: number) => (share * SIZE).toFixed(1)
  const y = (share: number) => ((1 - share) * SIZE).toFixed(1)
  const line = bins.map((bin, place) => `${place === 0 ? 'M' : 'L'}${x(bin.confidence)} ${y(bin.answerable)}`)
  const dots = bins.map(
    (bin) =>
      `<circle class="dot" cx="${x(bin.confidence)}" cy="${y(bin.answerable)}" r="${(1 + 2.8 * Math.sqrt(bin.count / most)).toFixed(2)}"><title>${bin.count} questions with a confidence of ${bin.confidence.toFixed(2)}: ${Math.round(bin.answerable * 100)}% answerable</title></circle>`,
  )
  const labels = [0, 0.5, 1]
    .map(
      (tick) =>
        `<text x="${x(tick)}" y="${SIZE + 9}" text-anchor="middle">${tick}</text><text x="-4" y="${Number(y(tick)) + 2}" text-anchor="end">${tick}</text>`,
    )
    .join('')
  return panel(
    name,
    `<svg class="square" viewBox="-13 -5 118 117" role="img" aria-label="${escaped(name)}: reliability diagram"><rect class="track" width="${SIZE}" height="${SIZE}" rx="1.5"/>
<path class="ink hair" vector-effect="non-scaling-stroke" d="M0 ${SIZE}L${SIZE} 0"/><path class="curve" d="${line.join('')}"/>${dots.join('')}${labels}</svg>`,
    `off by ${figureText('calibration_error', calibrationError(judged))} on average, ${judged.length} questions`,
  )
}

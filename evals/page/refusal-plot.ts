import { accuracyCurve, judgedOf, type Judged } from '../measures/refusal.ts'
import { figureText, isReached } from '../report/print-table.ts'
import type { PartReport } from '../report/report.ts'
import { REFERENCES } from '../sets/references.ts'
import { panel, percent } from './markup.ts'

const BINS = 20
const CURVE = { top: 8, height: 96 }
const BARS = { middle: 176, height: 52 }
const HEIGHT = 250

/** The product's threshold: between the highest confidence it refused and the lowest it answered. */
function decisionPoint(judged: readonly Judged[]): number | undefined {
  const refused = judged.filter(({ isCovered }) => !isCovered).map(({ confidence }) => confidence)
  const answered = judged.filter(({ isCovered }) => isCovered).map(({ confidence }) => confidence)
  if (refused.length === 0 || answered.length === 0) return undefined
  const [below, above] = [Math.max(...refused), Math.min(...answered)]
  return below <= above ? (below + above) / 2 : undefined
}

/** Balanced accuracy from 0.5 (chance) to 1, from the bottom of the curve's strip to its top. */
const accuracyAt = (accuracy: number) => CURVE.top + CURVE.height * (1 - Math.max(0, accuracy - 0.5) * 2)

function curve(judged: readonly Judged[]): string {
  const points = accuracyCurve(judged)
  const path = points.flatMap(({ threshold, accuracy }, place) => {
    const y = ((1 - Math.max(0, accuracy - 0.5) * 2) * 100).toFixed(2)
    // A threshold includes its own value: the curve has steps.
    const before = points[place - 1]
    const x = (threshold * 100).toFixed(2)
    return before === undefined ? [`M${x} ${y}`] : [`H${x}V${y}`]
  })
  return `<svg y="${CURVE.top}" width="100%" height="${CURVE.height}" viewBox="0 0 100 100" preserveAspectRatio="none"><path class="curve" d="${path.join('')}"/></svg>`
}

function histogram(judged: readonly Judged[], isAnswerable: boolean, most: number): string {
  const counts = Array.from({ length: BINS }, () => 0)
  for (const one of judged) {
    if (one.isAnswerable !== isAnswerable) continue
    const bin = Math.min(BINS - 1, Math.floor(one.confidence * BINS))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const total = judged.filter((one) => one.isAnswerable === isAnswerable).length
  return counts
    .map((count, bin) => {
      const height = (BARS.height * count) / Math.max(1, total) / most
      const y = isAnswerable ? BARS.middle - 1 - height : BARS.middle + 1
      return count === 0
        ? ''
        : `<rect class="${isAnswerable ? 'yes' : 'no'}" x="${percent((bin + 0.06) / BINS)}" width="${percent(0.88 / BINS)}" y="${y.toFixed(1)}" height="${Math.max(1.5, height).toFixed(1)}" rx="1.5"/>`
    })
    .join('')
}

/** The largest share of either kind in one bin: both histograms use one scale. */
function largestBin(judged: readonly Judged[]): number {
  const shares = [true, false].flatMap((isAnswerable) => {
    const held = judged.filter((one) => one.isAnswerable === isAnswerable)
    const bins = Map.groupBy(held, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)))
    return [...bins.values()].map((bin) => bin.length / held.length)
  })
  return Math.max(0.01, ...shares)
}

/** The refusal curve of a part above the distribution of its confidence, on one axis. */
export function refusalPlot(part: PartReport): string {
  const { figures, name } = part
  const judged = judgedOf(part.answers)
  if (judged.length === 0) return ''
  const target = REFERENCES[name]?.target
  const wanted = target?.balanced_accuracy
  const most = largestBin(judged)
  const at = decisionPoint(judged)
  const reached = isReached('balanced_accuracy', figures, target)
  const mark =
    reached === undefined
      ? ''
      : reached
        ? ' <span class="reached">✓</span>'
        : ' <span class="missed">✗</span>'
  const note = `${figureText('balanced_accuracy', figures.balanced_accuracy)}${mark}${wanted === undefined ? '' : ` of ${figureText('balanced_accuracy', wanted)}`}, AUROC ${figureText('auroc', figures.auroc)}`
  const grid = [0.5, 0.75, 1]
    .map(
      (accuracy) =>
        `<line class="grid" x1="0" x2="100%" y1="${accuracyAt(accuracy)}" y2="${accuracyAt(accuracy)}"/><text x="-7" y="${accuracyAt(accuracy) + 4}" text-anchor="end">${accuracy === 1 ? '1' : accuracy.toString().replace(/^0/, '')}</text>`,
    )
    .join('')
  const axis = [0, 0.25, 0.5, 0.75, 1]
    .map(
      (tick) =>
        `<text x="${percent(tick)}" y="${HEIGHT - 4}" text-anchor="${tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle'}">${tick === 0.5 ? 'confidence .5' : String(tick).replace(/^0(?=\.)/, '')}</text>`,
    )
    .join('')
  const decision =
    at === undefined
      ? ''
      : `<line class="soft hair" x1="${percent(at)}" x2="${percent(at)}" y1="${CURVE.top}" y2="${HEIGHT - 18}"/><svg x="${percent(at)}" y="${accuracyAt(figures.balanced_accuracy ?? 0.5)}" width="1" height="1"><circle class="dot" r="4.5"/></svg>`
  const goal =
    wanted === undefined
      ? ''
      : `<line class="ink hair" x1="0" x2="100%" y1="${accuracyAt(wanted)}" y2="${accuracyAt(wanted)}"/>`
  const label = `${name}: balanced accuracy over the threshold on the confidence, and how the confidence is distributed`
  return panel(
    name,
    `<svg class="inset" height="${HEIGHT}" role="img" aria-label="${label}">${grid}${goal}${curve(judged)}${decision}
${histogram(judged, true, most)}${histogram(judged, false, most)}<line class="soft" x1="0" x2="100%" y1="${BARS.middle}" y2="${BARS.middle}" stroke-width=".75"/>${axis}</svg>`,
    note,
  )
}

export const REFUSAL_LEGEND = `<ul class="legend">
<li><svg><path class="curve" d="M0 11Q9-6 18 9"/></svg>balanced accuracy if the threshold stood here</li>
<li><svg><circle class="dot" cx="9" cy="6" r="4.5"/></svg>where the product decides</li>
<li><svg><line class="ink hair" x1="0" x2="18" y1="6" y2="6"/></svg>target</li>
<li><svg><rect class="yes" x="5" width="8" height="12" rx="2"/></svg>answerable questions</li>
<li><svg><rect class="no" x="5" width="8" height="12" rx="2"/></svg>unanswerable ones</li></ul>`

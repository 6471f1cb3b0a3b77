import { METRICS, type MetricName } from '../measures/metric.ts'
import { figureText } from '../report/print-table.ts'
import type { PartReport } from '../report/report.ts'
import { REFERENCES } from '../sets/references.ts'
import { escaped, panel, percent } from './markup.ts'

const HEIGHT = 16
const MIDDLE = HEIGHT / 2

const diamond = (share: number) =>
  `<svg x="${percent(share)}" y="${MIDDLE}" width="1" height="1"><path class="target" d="M0-5.5 5 0 0 5.5-5 0Z"/></svg>`
const notch = (share: number) =>
  `<line class="before" x1="${percent(share)}" x2="${percent(share)}" y1="-3" y2="${HEIGHT + 3}"/>`
const tick = (share: number) =>
  ['edge', 'reference']
    .map(
      (style) =>
        `<line class="${style}" x1="${percent(share)}" x2="${percent(share)}" y1="0" y2="${HEIGHT}"/>`,
    )
    .join('')

/** One figure as a bar, with its reference values marked. */
function bar(part: PartReport, metric: MetricName): string {
  const value = part.figures[metric]
  if (value === undefined) return ''
  const { bm25, target } = REFERENCES[part.name] ?? {}
  const [reference, wanted, before] = [bm25?.[metric], target?.[metric], part.previous?.[metric]]
  const isChanged = before !== undefined && Math.abs(before - value) >= 0.0005
  const label = [
    `${part.name}: ${METRICS[metric].label} ${figureText(metric, value)}`,
    ...(reference === undefined ? [] : [`BM25 ${figureText(metric, reference)}`]),
    ...(wanted === undefined ? [] : [`target ${figureText(metric, wanted)}`]),
    ...(before === undefined ? [] : [`before ${figureText(metric, before)}`]),
  ].join(', ')
  return `<div class="bar"><span class="name">${escaped(part.name)}</span>
<svg width="100%" height="${HEIGHT}" role="img" aria-label="${escaped(label)}"><title>${escaped(label)}</title>
<rect class="track" width="100%" height="${HEIGHT}" rx="4"/><rect class="now" width="${percent(value)}" height="${HEIGHT}" rx="4"/>
${reference === undefined ? '' : tick(reference)}${isChanged ? notch(before) : ''}${wanted === undefined ? '' : diamond(wanted)}</svg>
<span class="value">${figureText(metric, value)}</span></div>`
}

export const BAR_LEGEND = `<ul class="legend">
<li><svg><rect class="now" width="18" height="12" rx="3"/></svg>now</li>
<li><svg><line class="before" x1="9" x2="9" y1="0" y2="12"/></svg>the run before, if it was another</li>
<li><svg><line class="reference" x1="9" x2="9" y1="0" y2="12"/></svg>BM25 over whole pages</li>
<li><svg><path class="target" d="M9 .5 14 6 9 11.5 4 6Z"/></svg>target</li></ul>`

/** A panel with a bar for each part that has the figure. */
export function retrievalBars(parts: readonly PartReport[], metric: MetricName): string {
  const bars = parts.map((part) => bar(part, metric)).filter((one) => one !== '')
  return bars.length === 0 ? '' : panel(METRICS[metric].label, bars.join(''), escaped(METRICS[metric].about))
}

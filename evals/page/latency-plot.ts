import { percentilesOf, type Percentiles } from '../measures/latency.ts'
import type { PartReport } from '../report/report.ts'
import { escaped, millisecondsText, panel, percent } from './markup.ts'

const KINDS = [
  { key: 'search', label: 'search', style: 'search' },
  { key: 'firstFrame', label: 'first frame of a chat', style: 'first' },
  { key: 'wholeAnswer', label: 'whole answer', style: 'whole' },
] as const

const BINS = 48
const HISTOGRAM = { height: 120, labels: 42 }

const LATENCY_LEGEND = `<ul class="legend">${KINDS.map(
  ({ label, style }) =>
    `<li><svg><rect class="${style}" y="3" width="18" height="6" rx="3"/></svg>${label}</li>`,
).join(
  '',
)}<li><svg><circle class="ink" cx="9" cy="6" r="4" stroke-width="1.5"/></svg>p50</li><li>line to p95, tick at p99</li></ul>`

/** The next round number at or above the value. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return ([1, 1.5, 2, 3, 4, 5, 7.5].find((step) => step * unit >= value) ?? 10) * unit
}

/** Histogram of search times over all sets; the slowest percent is not drawn. */
export function searchHistogram(parts: readonly PartReport[]): string {
  const times = parts.flatMap(({ searchTimes }) => searchTimes)
  const found = percentilesOf(times)
  if (found === undefined) return ''
  const end = roundUp(found.p99 * 1.05)
  const counts = Array.from({ length: BINS }, () => 0)
  for (const time of times) {
    const bin = Math.floor((time / end) * BINS)
    if (bin < BINS) counts[bin] = (counts[bin] ?? 0) + 1
  }
  const most = Math.max(...counts)
  const bars = counts.map((count, bin) => {
    const height = (HISTOGRAM.height * count) / most
    return `<rect class="yes" x="${percent((bin + 0.08) / BINS)}" width="${percent(0.84 / BINS)}" y="${(HISTOGRAM.labels + HISTOGRAM.height - height).toFixed(1)}" height="${height.toFixed(1)}" rx="1.5"/>`
  })
  const bottom = HISTOGRAM.labels + HISTOGRAM.height
  const marks = (['p50', 'p95', 'p99'] as const).map((name, place) => {
    const at = percent(found[name] / end)
    return `<line class="ink hair" x1="${at}" x2="${at}" y1="${2 + place * 14}" y2="${bottom}"/><text x="${at}" dx="4" y="${11 + place * 14}" style="fill:var(--ink)" ${found[name] / end > 0.8 ? 'text-anchor="end" transform="translate(-8 0)"' : ''}>${name} ${millisecondsText(found[name])}</text>`
  })
  const axis = [0.25, 0.5, 0.75, 1].map(
    (tick) =>
      `<text x="${percent(tick)}" y="${bottom + 15}" text-anchor="${tick === 1 ? 'end' : 'middle'}">${millisecondsText(end * tick)}</text>`,
  )
  return panel(
    'Searches',
    `<svg width="100%" height="${bottom + 20}" role="img" aria-label="Distribution of search times">${bars.join('')}<line class="grid" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>${marks.join('')}${axis.join('')}</svg>`,
    `${found.count.toLocaleString('en')} of them, over HTTP, the question embedded each time`,
  )
}

function range(times: Percentiles, style: string, y: number, end: number): string {
  const at = (milliseconds: number) => percent(milliseconds / end)
  return `<line class="${style}" stroke-width="4" stroke-linecap="round" opacity=".45" x1="${at(times.p50)}" x2="${at(times.p95)}" y1="${y}" y2="${y}"/><line class="${style}" stroke-width="2" x1="${at(times.p99)}" x2="${at(times.p99)}" y1="${y - 4}" y2="${y + 4}"/><circle class="${style}" cx="${at(times.p50)}" cy="${y}" r="4"/>`
}

/** p50, p95 and p99 of each part, on one scale. */
export function latencyRanges(parts: readonly PartReport[]): string {
  const timed = parts.filter(({ latency }) => KINDS.some(({ key }) => latency[key] !== undefined))
  if (timed.length === 0) return ''
  const end = roundUp(
    Math.max(...timed.flatMap(({ latency }) => KINDS.map(({ key }) => latency[key]?.p99 ?? 0))),
  )
  const rows = timed.map(({ name, latency }) => {
    const kinds = KINDS.filter(({ key }) => latency[key] !== undefined)
    const height = kinds.length * 10 + 4
    const label = kinds
      .map(({ key, label }) => {
        const times = latency[key]
        return times === undefined
          ? ''
          : `${label}: p50 ${millisecondsText(times.p50)}, p95 ${millisecondsText(times.p95)}, p99 ${millisecondsText(times.p99)}`
      })
      .join('; ')
    const ranges = kinds.map(({ key, style }, place) => {
      const times = latency[key]
      return times === undefined ? '' : range(times, style, place * 10 + 7, end)
    })
    const shown = latency.search ?? latency.firstFrame
    return `<div class="bar"><span class="name">${escaped(name)}</span><svg width="100%" height="${height}" role="img" aria-label="${escaped(label)}"><title>${escaped(label)}</title><rect class="track" width="100%" height="${height}" rx="4"/>${ranges.join('')}</svg><span class="value">${shown === undefined ? '' : Math.round(shown.p95)}</span></div>`
  })
  return panel(
    'By set',
    `${LATENCY_LEGEND}${rows.join('')}<p class="soft-text" style="margin:8px 0 0;font-size:13px">From 0 to ${millisecondsText(end)}; the number is the p95 of the search, in milliseconds.</p>`,
  )
}

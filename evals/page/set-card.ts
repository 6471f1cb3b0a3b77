import { METRIC_NAMES, METRICS } from '../measures/metric.ts'
import type { Floor } from '../report/floor.ts'
import { changeText, figureText, isReached } from '../report/print-table.ts'
import type { PartReport } from '../report/report.ts'
import { REFERENCES } from '../sets/references.ts'
import { escaped, panel } from './markup.ts'

const SHOWN = 12

function isBelow(part: PartReport, metric: (typeof METRIC_NAMES)[number], floor: Floor): boolean {
  const [figure, least] = [part.figures[metric], floor[part.name]?.[metric]]
  if (figure === undefined || least === undefined || part.isSample) return false
  return METRICS[metric].better === 'higher' ? figure < least - 1e-9 : figure > least + 1e-9
}

/** The previous figure, and the change since. */
function beforeCell(part: PartReport, metric: (typeof METRIC_NAMES)[number]): string {
  const [now, before] = [part.figures[metric], part.previous?.[metric]]
  const change = changeText(metric, now, before)
  if (change === '') return `<td class="was">${figureText(metric, before)}</td>`
  const isBetter = change.startsWith('+') === (METRICS[metric].better === 'higher')
  const style = metric === 'best_threshold' ? 'soft-text' : isBetter ? 'up' : 'down'
  return `<td class="was">${figureText(metric, before)} <span class="${style}">${change}</span></td>`
}

function figureTable(part: PartReport, floor: Floor): string {
  const { bm25, target } = REFERENCES[part.name] ?? {}
  const rows = METRIC_NAMES.filter((metric) => part.figures[metric] !== undefined).map((metric) => {
    const reached = isReached(metric, part.figures, target)
    const wanted = figureText(metric, target?.[metric])
    const mark =
      reached === undefined
        ? ''
        : reached
          ? ' <span class="reached">✓</span>'
          : ' <span class="missed">✗</span>'
    const isLow = isBelow(part, metric, floor)
    return `<tr${isLow ? ' class="floor"' : ''}><td title="${escaped(METRICS[metric].about)}">${METRICS[metric].label}${isLow ? ' <span class="missed">below its floor</span>' : ''}</td><td class="now-cell">${figureText(metric, part.figures[metric])}</td>${beforeCell(part, metric)}<td class="was">${figureText(metric, bm25?.[metric])}</td><td>${wanted}${mark}</td></tr>`
  })
  return `<table><thead><tr><th></th><th>now</th><th>before</th><th>BM25</th><th>target</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function misses({ misses }: PartReport): string {
  if (misses.length === 0) return ''
  const rows = [...misses]
    .sort((left, right) => (right.place ?? 99) - (left.place ?? 99))
    .slice(0, SHOWN)
    .map(
      ({ question, place, wanted, found }) =>
        `<li>${escaped(question)} <span class="soft-text">${place === null ? 'not found' : `at ${place}`}; wanted ${escaped(wanted.slice(0, 3).join(', '))}; first: ${escaped(found.slice(0, 2).join(', '))}</span></li>`,
    )
  return `<details><summary>${misses.length} questions whose page is not the first</summary><ol>${rows.join('')}</ol></details>`
}

/** Questions on the wrong side of the gate, the most confident mistakes first. */
function misjudged({ answers }: PartReport): string {
  const wrong = answers
    .filter(({ isAnswerable, isCovered }) => isAnswerable !== undefined && isAnswerable !== isCovered)
    .sort((left, right) => Math.abs(right.confidence - 0.5) - Math.abs(left.confidence - 0.5))
  if (wrong.length === 0) return ''
  const rows = wrong
    .slice(0, SHOWN)
    .map(
      ({ question, isCovered, confidence }) =>
        `<li>${escaped(question)} <span class="soft-text">${isCovered ? 'answered, and should not have been' : 'refused, and should not have been'}; confidence ${confidence.toFixed(2)}</span></li>`,
    )
  return `<details><summary>${wrong.length} questions wrongly answered or refused</summary><ol>${rows.join('')}</ol></details>`
}

function ungrounded({ ungrounded }: PartReport): string {
  if (ungrounded.length === 0) return ''
  const rows = ungrounded
    .slice(0, SHOWN)
    .map(
      ({ sentence, isInPassage, excerpts }) =>
        `<li>${escaped(sentence)} <span class="soft-text">${isInPassage ? 'is in the passage, not in' : 'not in'}: ${escaped(excerpts.join(' | '))}</span></li>`,
    )
  return `<details><summary>${ungrounded.length} sentences that their excerpt does not contain</summary><ol>${rows.join('')}</ol></details>`
}

/** All figures of one part. */
export function setCard(part: PartReport, floor: Floor): string {
  const { published } = REFERENCES[part.name] ?? {}
  const told =
    published === undefined
      ? ''
      : `<p class="soft-text" style="margin:8px 0 0;font-size:13px">Published: ${escaped(published)}.</p>`
  const note = `${part.questions} questions${part.isSample ? ', a sample' : ''}, ${part.measuredAt.slice(0, 16).replace('T', ' ')}`
  return panel(
    part.name,
    `${figureTable(part, floor)}${told}${misses(part)}${misjudged(part)}${ungrounded(part)}`,
    note,
  )
}

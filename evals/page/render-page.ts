import { percentilesOf } from '../measures/latency.ts'
import { METRIC_NAMES } from '../measures/metric.ts'
import { judgedOf } from '../measures/refusal.ts'
import { belowFloor, type Floor } from '../report/floor.ts'
import { isReached } from '../report/print-table.ts'
import type { PartReport, Report } from '../report/report.ts'
import { REFERENCES } from '../sets/references.ts'
import { calibrationPlot } from './calibration-plot.ts'
import { latencyRanges, searchHistogram } from './latency-plot.ts'
import { escaped, millisecondsText } from './markup.ts'
import { PAGE_STYLE } from './page-style.ts'
import { REFUSAL_LEGEND, refusalPlot } from './refusal-plot.ts'
import { BAR_LEGEND, retrievalBars } from './retrieval-bars.ts'
import { setCard } from './set-card.ts'

const tile = (value: string, about: string) => `<div class="tile"><b>${value}</b><span>${about}</span></div>`

function tiles(parts: readonly PartReport[], floor: Floor): string {
  const verdicts = parts.flatMap(({ name, figures }) =>
    METRIC_NAMES.flatMap((metric) => isReached(metric, figures, REFERENCES[name]?.target) ?? []),
  )
  const reached = verdicts.filter(Boolean).length
  const faults = belowFloor(parts, floor)
  const sets = new Set(parts.map(({ set }) => set)).size
  const searches = percentilesOf(parts.flatMap(({ searchTimes }) => searchTimes))
  const questions = parts.filter(({ searchTimes, answers }) => searchTimes.length + answers.length > 0)
  return `<div class="tiles">${[
    tile(`${reached} <small>of ${verdicts.length}</small>`, 'targets reached'),
    tile(String(faults.length), faults.length === 1 ? 'figure below its floor' : 'figures below their floor'),
    tile(
      questions.reduce((sum, part) => sum + part.questions, 0).toLocaleString('en'),
      `questions in ${sets} ${sets === 1 ? 'set' : 'sets'}`,
    ),
    ...(searches === undefined ? [] : [tile(millisecondsText(searches.p95), 'p95 of a search')]),
  ].join('')}</div>`
}

const section = (title: string, about: string, body: string) =>
  body === '' ? '' : `<h2>${title}</h2><p>${about}</p>${body}`

const grid = (kind: string, panels: readonly string[]) => {
  const shown = panels.filter((one) => one !== '')
  return shown.length === 0 ? '' : `<div class="${kind}">${shown.join('')}</div>`
}

/** The report as one self-contained page: no scripts, fonts or images from other files. */
export function renderPage(report: Report, floor: Floor): string {
  const { parts } = report
  const models = [...new Set(parts.map(({ embedding }) => embedding.split(':')[0] ?? ''))].join(', ')
  const isLanguage = ({ set, name }: PartReport) => set !== name && set === 'xquad'
  const sets = parts.filter((part) => !isLanguage(part))
  const languages = parts.filter(isLanguage)
  const judged = parts
    .map(({ name, answers }) => ({ name, answers: judgedOf(answers) }))
    .filter(({ answers }) => answers.length > 0)
  const all = judged.flatMap(({ answers }) => answers)
  const calibrations = [
    ...(judged.length > 1 ? [calibrationPlot('All sets', all)] : []),
    ...judged.map(({ name, answers }) => calibrationPlot(name, answers)),
  ]
  const body = [
    `<header><h1>What Citewell finds, says and refuses</h1><p>Measured ${escaped(report.measuredAt.slice(0, 16).replace('T', ' '))} UTC on ${report.processors} processors at a load of ${report.loadAverage.toFixed(1)}, Node ${escaped(report.node)}, model ${escaped(models)}, no language model. Real pages, real questions, over the public API.</p></header>`,
    tiles(parts, floor),
    section(
      'Finding the page',
      'A page counts once, with its best passage. The same settings for all sets.',
      `${BAR_LEGEND}${grid('two', [retrievalBars(sets, 'ndcg10'), retrievalBars(sets, 'hit5')])}`,
    ),
    section(
      'In other languages',
      'The same paragraphs and questions in each language, with an embedding model that only knows English.',
      grid('two', [retrievalBars(languages, 'hit5'), retrievalBars(languages, 'ndcg10')]),
    ),
    section(
      'Saying no',
      'Above: balanced accuracy at each threshold on the confidence, from .5 (chance) to 1. Below: distribution of the confidence for questions that the pages answer (upwards) and for those that they do not (downwards).',
      wrapped(REFUSAL_LEGEND, grid('cards', parts.map(refusalPlot))),
    ),
    section(
      'Calibration',
      'Of all questions with a confidence of .8, eight in ten should be answerable: the closer to the diagonal, the more reliable the confidence. Large dots are many questions.',
      grid('cards small', calibrations),
    ),
    section(
      'Time',
      'Measured by one client that asks one question after another.',
      grid('two', [searchHistogram(parts), latencyRanges(parts)]),
    ),
    section(
      'Every figure',
      'Each with the previous run, the reference, and the target.',
      grid(
        'cards',
        parts.map((part) => setCard(part, floor)),
      ),
    ),
  ]
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Citewell, measured</title><style>${PAGE_STYLE}</style></head><body><main>${body.join('\n')}</main></body></html>\n`
}

const wrapped = (legend: string, body: string) => (body === '' ? '' : legend + body)

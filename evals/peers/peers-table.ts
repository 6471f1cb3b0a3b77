import type { PeerFigures } from './peer-figures.ts'

const share = (value: number) => (value >= 0.9995 ? '1.00' : value.toFixed(3).replace(/^0/, ''))
const time = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)))
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)

/** What the figures depend on besides the code. */
export interface PeersRun {
  cores: number
  loadBefore: number
  loadAfter: number
  /** Number of questions per set, if not all were asked. */
  sample: number | undefined
  /** Number of passages per set. */
  passages: Readonly<Record<string, number>>
}

function setTable(set: string, figures: readonly PeerFigures[], run: PeersRun): string[] {
  const shown = (one: PeerFigures, name: 'ndcg10' | 'hit5') =>
    one[name] === Math.max(...figures.map((other) => other[name]))
      ? `**${share(one[name])}**`
      : share(one[name])
  const [first] = figures
  return [
    `\`${set}\`: ${run.passages[set] ?? 0} passages, ${first?.asked ?? 0} questions timed, ${first?.judged ?? 0} of them with a known page`,
    '',
    '| search | nDCG@10 | hit@5 | p50 ms | p95 ms | index built in s | resident MB |',
    '|---|---|---|---|---|---|---|',
    ...figures.map((one) => {
      const name = one.failed === 0 ? one.name : `${one.name}, ${one.failed} questions failed`
      return `| ${[name, shown(one, 'ndcg10'), shown(one, 'hit5'), time(one.p50), time(one.p95), seconds(one.buildMs), one.residentMb.toFixed(0)].join(' | ')} |`
    }),
    '',
  ]
}

/** A Markdown table for each set, with the best quality in bold. */
export function peersTable(figures: readonly PeerFigures[], run: PeersRun): string {
  const settings = new Map(figures.map(({ name, setting }) => [name, setting]))
  const sample = run.sample === undefined ? '' : `; a sample of ${run.sample} questions of each set`
  const load = `load average ${run.loadBefore.toFixed(1)} at the start, ${run.loadAfter.toFixed(1)} at the end`
  return [
    ...[...Map.groupBy(figures, ({ set }) => set)].flatMap(([set, of]) => setTable(set, of, run)),
    ...[...settings].map(([name, setting]) => `- ${name}: ${setting}`),
    '',
    `${run.cores} cores, ${load}${sample}.`,
  ].join('\n')
}

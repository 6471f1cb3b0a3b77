/** One system on one set. Times in milliseconds, the question's embedding included. */
export interface PeerFigures {
  set: string
  name: string
  setting: string
  /** Building its index in memory; Citewell's stands on the disk. */
  buildMs: number | undefined
  ndcg10: number
  hit5: number
  p50: number
  p95: number
}

const share = (value: number) => (value >= 0.9995 ? '1.00' : value.toFixed(3).replace(/^0/, ''))
const time = (value: number | undefined) =>
  value === undefined ? '' : value < 10 ? value.toFixed(1) : String(Math.round(value))

/** A Markdown table, set by set, the best quality of each in bold. */
export function peersTable(
  figures: readonly PeerFigures[],
  run: { cores: number; load: number; sample: number | undefined },
): string {
  const rows = figures.map((one) => {
    const best = (name: 'ndcg10' | 'hit5') =>
      one[name] === Math.max(...figures.filter(({ set }) => set === one.set).map((other) => other[name]))
    const shown = (name: 'ndcg10' | 'hit5') => (best(name) ? `**${share(one[name])}**` : share(one[name]))
    return [
      one.set,
      one.name,
      shown('ndcg10'),
      shown('hit5'),
      time(one.p50),
      time(one.p95),
      time(one.buildMs),
    ]
  })
  const settings = new Map(figures.map(({ name, setting }) => [name, setting]))
  return [
    '| set | search | nDCG@10 | hit@5 | p50 ms | p95 ms | index built in ms |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    ...[...settings].map(([name, setting]) => `- ${name}: ${setting}`),
    '',
    `${run.cores} cores, load average ${run.load.toFixed(1)} at the end${run.sample === undefined ? '' : `; ${run.sample} questions of each set`}.`,
  ].join('\n')
}

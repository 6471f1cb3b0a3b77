import { parseArgs } from 'node:util'
import { readAtEveryEntrance } from './every-entrance.ts'
import { runHostileContent, type HostileReport } from './run-hostile-content.ts'

// npm run fuzz:content -- --minutes 60 --seed 1
// npm run fuzz:content -- --minutes 120 --every 1000000 --stall 100 --verbose
// npm run fuzz:content -- --minutes 0 --documents deep: only the hostile documents, and of these those with this in their name
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    models: { type: 'string', default: 'built-in,remote' },
    stall: { type: 'string', default: '250' },
    growth: { type: 'string', default: '300' },
    every: { type: 'string' },
    documents: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
// On any end of this script, the service must not stay behind.
process.once('SIGTERM', () => process.exit(1))
process.once('SIGINT', () => process.exit(1))
const entrances = await readAtEveryEntrance({
  stallMs: Number(values.stall),
  growthMebibytes: Number(values.growth),
  only: values.documents,
  onPassage: (passage) => console.log(JSON.stringify(passage)),
})
console.log(JSON.stringify(entrances.findings, null, 2))
const worlds = values.models.split(',').filter((name) => name === 'built-in' || name === 'remote')
const reports: HostileReport[] = []
for (const models of Number(values.minutes) > 0 ? worlds : []) {
  console.log(`Seed ${values.seed}, models ${models}`)
  reports.push(
    await runHostileContent({
      models,
      seed: Number(values.seed),
      seconds: (Number(values.minutes) * 60) / worlds.length,
      stallMs: Number(values.stall),
      growthMebibytes: Number(values.growth),
      ...(values.every !== undefined && { everyShapeOf: Number(values.every) }),
      ...(values.verbose && { onRound: (line) => console.log(line) }),
    }),
  )
}
console.log(JSON.stringify(reports, null, 2))
process.exit([entrances, ...reports].some(({ findings }) => findings.length > 0) ? 1 : 0)

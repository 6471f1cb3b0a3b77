import { parseArgs } from 'node:util'
import { judgeHostileAnswers } from './hostile-answers.ts'
import { openChromium } from '../open-chromium.ts'
import { startWidgetWorld } from './widget-world.ts'

// npm run fuzz:answers
// npm run fuzz:answers -- --runs 20000 --seed 5
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    most: { type: 'string', default: '50' },
  },
})
const mostMs = Number(values.most)
const world = await startWidgetWorld()
const browser = await openChromium()
try {
  const report = await judgeHostileAnswers(world, browser, {
    runs: Number(values.runs),
    seed: Number(values.seed),
    mostMs,
  })
  console.log(JSON.stringify(report, null, 2))
  const { longest, different, ran, fetched } = report
  const isSafe = ran === 0 && fetched.length === 0 && different.length === 0 && longest < mostMs
  process.exitCode = isSafe ? 0 : 1
} finally {
  await browser.close()
  await world.stop()
}

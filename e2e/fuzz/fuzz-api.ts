import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newDataDirectory, OWNER_TOKEN, startCitewell } from '../run-citewell.ts'
import { makeFuzzWorld } from './fuzz-world.ts'
import { residentMebibytes } from './resident-memory.ts'
import { runFuzz } from './run-fuzz.ts'

/** In-flight answers get 30 s when the service stops; it must have exited soon after. */
const STOP_TIMEOUT_MS = 45_000

// npm run fuzz -- --requests 5000 --seed 1
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    parallel: { type: 'string', default: '4' },
  },
})
const service = await startCitewell({ CITEWELL_DATA_DIR: newDataDirectory(), CITEWELL_RATE_LIMITS: 'off' })
// On any end of this script, the service must not stay behind.
process.once('SIGTERM', () => process.exit(1))
process.once('exit', () => service.process.kill('SIGKILL'))
const world = await makeFuzzWorld(service.address, OWNER_TOKEN)
const before = await residentMebibytes(service.address)
const startedAt = performance.now()
const report = await runFuzz({
  world,
  seed: Number(values.seed),
  requests: Number(values.requests),
  parallel: Number(values.parallel),
})
const seconds = (performance.now() - startedAt) / 1_000
const after = await residentMebibytes(service.address)
console.log(
  JSON.stringify({ ...report, seconds: Math.round(seconds), residentMebibytes: { before, after } }, null, 2),
)
const logged = service
  .log()
  .split('\n')
  .filter((line) => line.includes('"level":50'))
console.log(`Errors in the log: ${logged.length}`)
for (const line of logged.slice(0, 20)) console.log(line.slice(0, 800))
const exitCode = await Promise.race([
  service.stop(),
  delay(STOP_TIMEOUT_MS, 'still running' as const, { ref: false }),
])
if (exitCode !== 0)
  console.log(`After SIGTERM the service ended with: ${exitCode}\n${service.log().slice(-2_000)}`)
process.exit(report.findings.length === 0 && logged.length === 0 && exitCode === 0 ? 0 : 1)

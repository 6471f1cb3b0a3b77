/**
 * Runs the tests on a PostgreSQL server instead of the embedded engine: the server of `DATABASE_URL`, or else the one that
 * `../shared/tools/postgres18 start` starts, if that exists.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { NO_POSTGRES, postgresServerUrl } from '../service/test/postgres-server.ts'

const root = resolve(import.meta.dirname, '..')
const url = postgresServerUrl()
if (url === undefined) {
  console.error(NO_POSTGRES)
  process.exit(1)
}
const vitest = resolve(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: url },
})
process.exit(status ?? 1)

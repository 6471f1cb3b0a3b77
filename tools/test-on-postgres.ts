/**
 * Runs the tests on a PostgreSQL server instead of the embedded engine: the server of `DATABASE_URL`, or else the one that
 * `../shared/tools/postgres18 start` starts, if that exists.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const starter = resolve(root, '../shared/tools/postgres18')

function databaseUrl(): string | undefined {
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') return given
  if (!existsSync(starter)) return undefined
  return execFileSync(starter, ['start'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

const url = databaseUrl()
if (url === undefined) {
  console.error(
    'These tests need a PostgreSQL server (17 or 18) with pgvector and pg_textsearch, and a role that may create databases.\n' +
      'Set DATABASE_URL to it, for example after `docker compose up -d postgres`.',
  )
  process.exit(1)
}
const vitest = resolve(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: url },
})
process.exit(status ?? 1)

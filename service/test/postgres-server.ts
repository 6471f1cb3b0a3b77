import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const STARTER = resolve(import.meta.dirname, '../../../shared/tools/postgres18')

const runStarter = (what: 'start' | 'stop') =>
  execFileSync(STARTER, [what], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

/**
 * The server of `DATABASE_URL`, or else the one that `../shared/tools/postgres18 start` starts; undefined if there is neither, or it does
 * not start. A server that was killed leaves a lock file behind, which may keep the first start from working.
 */
export function postgresServerUrl(): string | undefined {
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') return given
  if (!existsSync(STARTER)) return undefined
  for (let tries = 1; tries <= 3; tries += 1) {
    try {
      return runStarter('start')
    } catch (error) {
      console.error(`The PostgreSQL server did not start (${tries} of 3): ${String(error).split('\n', 1)[0]}`)
    }
    try {
      runStarter('stop')
    } catch {
      // It was not running.
    }
  }
  return undefined
}

export const NO_POSTGRES =
  'These tests need a PostgreSQL server (17 or 18) with pgvector and pg_textsearch, and a role that may create databases.\n' +
  'Set DATABASE_URL to it, for example after `docker compose up -d postgres`.'

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const STARTER = resolve(import.meta.dirname, '../../../shared/tools/postgres18')

/** The server of `DATABASE_URL`, or else the one that `../shared/tools/postgres18 start` starts; undefined if there is neither. */
export function postgresServerUrl(): string | undefined {
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') return given
  if (!existsSync(STARTER)) return undefined
  return execFileSync(STARTER, ['start'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

export const NO_POSTGRES =
  'These tests need a PostgreSQL server (17 or 18) with pgvector and pg_textsearch, and a role that may create databases.\n' +
  'Set DATABASE_URL to it, for example after `docker compose up -d postgres`.'

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { databaseUrlOf, onServer } from '../service/test/test-server.ts'
import { startCitewell, type RunningCitewell } from './run-citewell.ts'

const SERVER = process.env['DATABASE_URL'] ?? ''
const DATABASE = `citewell_revocation_${process.pid}`
const REQUESTS_A_SECOND = 200

const newDirectory = () => mkdtempSync(join(tmpdir(), 'citewell-revocation-'))

describe.skipIf(SERVER === '')('a revoked key with two processes on one PostgreSQL server', () => {
  let processes: RunningCitewell[] = []
  let base: { id: string; client_key: { id: string; key: string } }

  beforeAll(async () => {
    await onServer(SERVER, `drop database if exists ${DATABASE} with (force)`)
    await onServer(SERVER, `create database ${DATABASE}`)
    const settings = { DATABASE_URL: databaseUrlOf(SERVER, DATABASE), CITEWELL_RATE_LIMITS: 'off' }
    // The second process starts when the first has created the schema and the first owner.
    const first = await startCitewell({ ...settings, CITEWELL_DATA_DIR: newDirectory() })
    processes = [first, await startCitewell({ ...settings, CITEWELL_DATA_DIR: newDirectory() })]
    base = await first.json('POST', '/api/v1/knowledge-bases', { name: 'Acme docs' })
  })
  afterAll(async () => {
    await Promise.all(processes.map((citewell) => citewell.stop()))
    await onServer(SERVER, `drop database if exists ${DATABASE} with (force)`)
  })

  verifies(
    'client-keys.revoked-everywhere',
    'at 200 requests a second, no request that begins more than a second after the revocation succeeds',
    async () => {
      const asked: { startedAt: number; status: number }[] = []
      const running: Promise<void>[] = []
      let place = 0
      const ask = async () => {
        const { address } = processes[place++ % 2] ?? { address: '' }
        const startedAt = performance.now()
        const response = await fetch(
          `${address}/api/v1/public/knowledge-bases/${base.id}/suggested-questions`,
          {
            headers: { 'x-client-key': base.client_key.key },
          },
        )
        await response.arrayBuffer()
        asked.push({ startedAt, status: response.status })
      }
      const load = setInterval(() => {
        for (let count = 0; count < REQUESTS_A_SECOND / 50; count += 1) running.push(ask())
      }, 20)

      await wait(2_000)
      await processes[0]?.json('DELETE', `/api/v1/client-keys/${base.client_key.id}`)
      const revokedAt = performance.now()
      await wait(3_000)
      clearInterval(load)
      await Promise.all(running)

      const before = asked.filter(({ startedAt }) => startedAt < revokedAt - 500)
      const late = asked.filter(({ startedAt }) => startedAt > revokedAt + 1_000)
      const firstOfAll = Math.min(...asked.map(({ startedAt }) => startedAt))
      const rate = (before.length / (revokedAt - 500 - firstOfAll)) * 1_000
      expect(before.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
      expect(late.length).toBeGreaterThan(100)
      expect(late.filter(({ status }) => status !== 401)).toEqual([])
      expect(rate).toBeGreaterThan(REQUESTS_A_SECOND / 4)
      const lastSuccess = Math.max(
        ...asked.filter(({ status }) => status === 200).map(({ startedAt }) => startedAt),
      )
      process.stderr.write(
        `${rate.toFixed(0)} requests a second; ${late.length} late requests, all refused; the last successful one began ${(lastSuccess - revokedAt).toFixed(0)} ms after the revocation\n`,
      )
    },
  )
})

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { freePort } from '../../test/free-port.ts'
import { readSettings } from './settings.ts'
import { startService } from './start-service.ts'

verifies(
  'running.database-url',
  'with DATABASE_URL the storage is that server: without it nothing starts, and no embedded one is created',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'citewell-start-'))
    const settings = readSettings({
      DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/citewell`,
      CITEWELL_DATA_DIR: directory,
      CITEWELL_LOG_LEVEL: 'silent',
    })
    const starting = startService(settings, { listens: false, works: false })
    await expect(starting).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(readdirSync(directory)).not.toContain('database')
    rmSync(directory, { recursive: true })
  },
)

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newDataDirectory, startCitewell } from './run-citewell.ts'

test.skipIf(process.platform !== 'linux')(
  'the service runs with a small young generation, in the process that was started',
  async () => {
    const service = await startCitewell({ CITEWELL_DATA_DIR: newDataDirectory() })
    const command = readFileSync(`/proc/${service.process.pid}/cmdline`, 'utf8').split('\0')
    await service.stop()
    expect(command).toContain('--max-semi-space-size=8')
    expect(command).toContain('serve')
  },
)

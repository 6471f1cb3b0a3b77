import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emptyDataDirectory, startCitewell } from './run-citewell.ts'

test.skipIf(process.platform !== 'linux')(
  'the service runs with a small young generation, a heap that grows little, and one arena, in the process that was started',
  async () => {
    const service = await startCitewell({ CITEWELL_DATA_DIR: emptyDataDirectory() })
    const read = (what: string) => readFileSync(`/proc/${service.process.pid}/${what}`, 'utf8').split('\0')
    const command = read('cmdline')
    const environment = read('environ')
    await service.stop()
    expect(command).toContain('--max-semi-space-size=8')
    expect(command).toContain('--heap-growing-percent=30')
    expect(command).toContain('serve')
    expect(environment).toContain('MALLOC_ARENA_MAX=1')
  },
)

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSharedCitewell } from './shared-citewell.ts'

test.skipIf(process.platform !== 'linux')(
  'the service runs with a small young generation, a heap that grows little, one arena and huge pages, in the process that was started',
  async () => {
    const { processId } = await openSharedCitewell()
    const read = (what: string) => readFileSync(`/proc/${processId}/${what}`, 'utf8').split('\0')
    const command = read('cmdline')
    expect(command).toContain('--max-semi-space-size=8')
    expect(command).toContain('--heap-growing-percent=30')
    expect(command).toContain('serve')
    expect(read('environ')).toEqual(
      expect.arrayContaining(['MALLOC_ARENA_MAX=1', 'GLIBC_TUNABLES=glibc.malloc.hugetlb=1']),
    )
  },
)

import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bufferMegabytes } from './buffer-size.ts'

test('the shared buffers are as large as the data, between 32 and 128 MB', () => {
  const directory = mkdtempSync(join(tmpdir(), 'citewell-buffers-'))
  const relation = join(directory, 'base', '5', '16384')
  const withData = (megabytes: number) => {
    truncateSync(relation, megabytes * 1_048_576)
    return bufferMegabytes(directory)
  }
  try {
    expect(bufferMegabytes(undefined)).toBe(32)
    expect(bufferMegabytes(directory)).toBe(32)
    mkdirSync(join(directory, 'base', '5'), { recursive: true })
    writeFileSync(relation, '')
    expect([1, 50, 100, 5_000].map(withData)).toEqual([32, 50, 100, 128])
  } finally {
    rmSync(directory, { recursive: true })
  }
})

import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

verifies(
  'running.eval-dir',
  'the sets are read from the folder CITEWELL_EVAL_DIR',
  () => {
    const folder = join(ROOT, 'no-such-folder')
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--conditions=citewell-source', join(ROOT, 'evals/run-evals.ts')],
      { encoding: 'utf8', env: { ...process.env, CITEWELL_EVAL_DIR: folder } },
    )

    expect(status).not.toBe(0)
    expect(stderr).toContain(folder)
  },
  { tags: ['long'] },
)

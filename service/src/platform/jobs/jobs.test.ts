import { expect, test } from 'vitest'
import { openTestStorage } from '../../../test/test-storage.ts'
import { createJobs } from './jobs.ts'

test(
  'jobs that are enqueued while another one runs follow it without a pause, and one that fails is tried again after its delay',
  { tags: ['long'] },
  async () => {
    await using storage = await openTestStorage()
    const faults: unknown[] = []
    const jobs = createJobs({ storage, onError: (fault) => faults.push(fault) })
    const begun: string[] = []
    const first = Promise.withResolvers<void>()
    const handle = async ({ name = '' }: Record<string, string>) => {
      begun.push(name)
      if (name === 'first') await first.promise
      if (name === 'fails' && begun.filter((one) => one === name).length === 1) throw new Error('Once.')
    }
    await jobs.start([{ name: 'run-simulation', handle }], true)
    try {
      await jobs.enqueue('run-simulation', { name: 'first' })
      await expect.poll(() => begun).toEqual(['first'])
      for (const name of ['second', 'third', 'fails']) await jobs.enqueue('run-simulation', { name })
      first.resolve()
      // Much sooner than queues are polled.
      await expect.poll(() => begun).toEqual(['first', 'second', 'third', 'fails', 'fails'])
      expect(faults).toEqual([])
    } finally {
      await jobs.stop()
    }
  },
)

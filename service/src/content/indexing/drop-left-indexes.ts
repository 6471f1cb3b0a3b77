import type { Job } from '../../platform/jobs/jobs.ts'
import { basesOfLeftPartitions, dropPartitions } from './index-partitions-store.ts'
import type { IndexDb } from './index-tables.ts'

/** Every hour: drops the index of bases whose deletion a crash cut short. */
export const dropLeftIndexesJob = (db: IndexDb): Job => ({
  name: 'drop-left-indexes',
  schedule: '37 * * * *',
  concurrency: 1,
  handle: async (_data, signal) => {
    for (const knowledgeBaseId of await basesOfLeftPartitions(db)) {
      if (signal.aborted) return
      await dropPartitions(db, knowledgeBaseId)
    }
  },
})

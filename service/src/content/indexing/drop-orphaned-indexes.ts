import type { Job } from '../../platform/jobs/jobs.ts'
import { basesOfOrphanedPartitions, dropPartitions } from './index-partitions-store.ts'
import type { IndexDb } from './indexing-tables.ts'

/** Hourly: drops the indexes of bases whose deletion was interrupted by a crash. */
export const dropOrphanedIndexesJob = (db: IndexDb): Job => ({
  name: 'drop-left-indexes',
  schedule: '37 * * * *',
  handle: async (_data, signal) => {
    for (const knowledgeBaseId of await basesOfOrphanedPartitions(db)) {
      if (signal.aborted) return
      await dropPartitions(db, knowledgeBaseId)
    }
  },
})

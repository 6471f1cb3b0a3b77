import { LIMITS } from '@citewell/contract/limits'
import { DAY_MS } from '../../kernel/duration.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { deleteOldDeliveries, type WebhooksDb } from './webhook-deliveries-store.ts'

/** Hourly: deletes deliveries older than the retention of the log. */
export function webhookUpkeepJob({ db, now }: { db: WebhooksDb; now: () => Date }): Job {
  return {
    name: 'forget-webhook-deliveries',
    schedule: '23 * * * *',
    handle: async () => {
      await deleteOldDeliveries(db, new Date(now().getTime() - LIMITS.webhooks.logDays * DAY_MS))
    },
  }
}

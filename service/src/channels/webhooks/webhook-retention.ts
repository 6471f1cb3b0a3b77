import { LIMITS } from '@citewell/contract/limits'
import type { Job } from '../../platform/jobs/jobs.ts'
import { forgetDeliveries, type WebhooksDb } from './webhook-deliveries-store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Once an hour, forgets deliveries that are older than the log goes back. */
export function webhookUpkeepJob({ db, now }: { db: WebhooksDb; now: () => Date }): Job {
  return {
    name: 'forget-webhook-deliveries',
    schedule: '23 * * * *',
    concurrency: 1,
    handle: async () => {
      await forgetDeliveries(db, new Date(now().getTime() - LIMITS.webhooks.logDays * DAY_MS))
    },
  }
}

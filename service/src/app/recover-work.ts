import { EVALUATION_ABANDONED_AFTER_SECONDS } from '../answers/evaluation/evaluation.ts'
import { EVENT_ABANDONED_AFTER_SECONDS } from '../channels/platform-hooks/platform-hooks.ts'
import { POST_LOST_AFTER_SECONDS } from '../channels/platform-posts/platform-posts.ts'
import { SIMULATION_ABANDONED_AFTER_SECONDS } from '../channels/simulations/simulations.ts'
import { LOST_AFTER_SECONDS } from '../channels/webhooks/webhooks.ts'
import { ABANDONED_AFTER_SECONDS } from '../content/syncs/syncs.ts'
import type { Log } from '../platform/log/log.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Rooms } from './compose-rooms.ts'

/** How often a process that works looks for work whose process has died. */
const EVERY_MS = 5_000

/** Takes up the work that a process left behind when it died: at the start, and then again and again. */
export function createWorkRecovery({
  rooms,
  engine,
  log,
}: {
  rooms: Rooms
  engine: Storage['engine']
  log: Log
}) {
  const kinds = [
    { recover: rooms.syncs.recover, lostAfterSeconds: ABANDONED_AFTER_SECONDS },
    { recover: rooms.webhookSender.recover, lostAfterSeconds: LOST_AFTER_SECONDS },
    { recover: rooms.simulations.recover, lostAfterSeconds: SIMULATION_ABANDONED_AFTER_SECONDS },
    { recover: rooms.platformPosts.recover, lostAfterSeconds: POST_LOST_AFTER_SECONDS },
    { recover: rooms.platformHooks.recover, lostAfterSeconds: EVENT_ABANDONED_AFTER_SECONDS },
    { recover: rooms.evaluationRuns.recover, lostAfterSeconds: EVALUATION_ABANDONED_AFTER_SECONDS },
  ]
  let looking: NodeJS.Timeout | undefined

  const look = () =>
    Promise.all([
      ...kinds.map(({ recover, lostAfterSeconds }) => recover(lostAfterSeconds)),
      rooms.ticketWork.look(),
      rooms.chatHearing.look(),
    ]).catch((error: unknown) => log.error({ err: error }, 'work left undone could not be looked for'))

  return {
    begin: async () => {
      for (const { recover, lostAfterSeconds } of kinds) {
        // No other process can have the embedded storage open: whatever runs there by its rows was left by a crash.
        await recover(engine === 'embedded' ? 0 : lostAfterSeconds)
      }
      await rooms.ticketWork.look()
      rooms.chatHearing.begin()
      looking = setInterval(() => void look(), EVERY_MS)
    },
    end: () => clearInterval(looking),
  }
}

import { endWithin } from '../kernel/end-within.ts'
import type { Rooms } from './compose-rooms.ts'

/**
 * How long the connections of bots, and the work of the rooms, may take to end: each of them waits for the storage, which may not answer.
 * What is in work has two seconds, twice: for answers, and for the posts that follow.
 */
const MOST_HEARING_ENDS_MS = 1_500
const MOST_WORK_ENDS_MS = 5_000

/** Ends what the rooms are at, or leaves it to the next start. */
export async function endRooms(rooms: Rooms): Promise<void> {
  // First, so that what bots hear can still be handled.
  await endWithin(MOST_HEARING_ENDS_MS, rooms.chatHearing.stop())
  const answered = Promise.all([rooms.platformHooks.stop(), rooms.ticketWork.stop()])
  await endWithin(
    MOST_WORK_ENDS_MS,
    Promise.all([
      rooms.webhookSender.stop(),
      // What was answered last is posted, too.
      answered.then(() => rooms.platformPosts.stop()),
      rooms.mcpCalls.counted(),
    ]),
  )
}

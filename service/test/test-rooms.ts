import { join } from 'node:path'
import type { EventName } from '../src/platform/events/events.ts'
import { joinTestWorkspace, type JoinGiven } from './join-workspace.ts'
import { openComposed, type ComposedGiven } from './open-composed.ts'

/**
 * The rooms of the service on their own database, without HTTP, without workers, and without an embedding model. The clock stands still
 * until the test moves it.
 *
 * @example
 * await using rooms = await openTestRooms()
 */
export async function openTestRooms(
  given: Pick<ComposedGiven, 'settings' | 'storage' | 'surroundings' | 'log'> = {},
) {
  const clock = { time: new Date('2026-03-09T10:00:00.000Z') }
  const now = () => clock.time
  const { service, storage, dataDirectory, enqueued, close } = await openComposed({
    ...(given.storage !== undefined && { storage: given.storage }),
    ...(given.log !== undefined && { log: given.log }),
    settings: { hasRateLimits: false, ...given.settings },
    surroundings: { now, ...given.surroundings },
  })
  const { rooms, platform } = service
  const { db } = storage
  const announced: { name: EventName; payload: unknown }[] = []
  for (const name of ['sync.finished', 'document.visibility-changed'] as const) {
    platform.events.listen(name, (payload) => void announced.push({ name, payload }))
  }

  /** A workspace with one member, who calls with a token of these scopes. */
  const joinWorkspace = async (joined: JoinGiven = {}) => await joinTestWorkspace(db, now, joined)

  /** Deletes every record, so that a test can start with empty storage. */
  async function empty(): Promise<void> {
    await db.deleteFrom('workspaces').execute()
    await db.deleteFrom('users').execute()
  }

  return {
    ...rooms,
    service,
    storage,
    db,
    files: platform.files,
    filesDirectory: join(dataDirectory, 'files'),
    sealer: platform.sealer,
    checkSource: rooms.connectors.checkSource,
    clock,
    announced,
    enqueued,
    joinWorkspace,
    empty,
    close,
    [Symbol.asyncDispose]: close,
  }
}

export type TestRooms = Awaited<ReturnType<typeof openTestRooms>>

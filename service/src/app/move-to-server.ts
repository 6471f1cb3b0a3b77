import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createLog } from '../platform/log/log.ts'
import { lockDirectory } from '../platform/storage/embedded/directory-lock.ts'
import { moveStorage, type Moved, type MoveOptions } from '../platform/storage/move/move-storage.ts'
import { openPostgresStorage } from '../platform/storage/storage.ts'
import { openEmbedded } from './open-storage.ts'
import { SettingsFault } from './read-environment.ts'
import type { Settings } from './settings.ts'

/** Moves what the embedded database of the data directory holds into the PostgreSQL database of `DATABASE_URL`, which must be empty. */
export async function moveToServer(settings: Settings, options: MoveOptions): Promise<Moved> {
  const { databaseUrl } = settings
  if (databaseUrl === undefined)
    throw new SettingsFault('Set DATABASE_URL to the empty PostgreSQL database to move to.')
  const dataDirectory = resolve(settings.dataDirectory)
  if (!existsSync(join(dataDirectory, 'database')))
    throw new SettingsFault(
      `There is no embedded database in ${dataDirectory}. Set CITEWELL_DATA_DIR to the directory that the service uses.`,
    )
  const lock = lockDirectory(dataDirectory)
  try {
    const to = await openPostgresStorage(databaseUrl)
    try {
      const from = await openEmbedded(dataDirectory, createLog(settings.logLevel))
      try {
        return await moveStorage(from.db, to.db, options)
      } finally {
        await from.close()
      }
    } finally {
      await to.close()
    }
  } finally {
    lock.release()
  }
}

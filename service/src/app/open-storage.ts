import { join } from 'node:path'
import type { Log } from '../platform/log/log.ts'
import { openEmbeddedStorage, openPostgresStorage, type Storage } from '../platform/storage/storage.ts'
import type { Settings } from './settings.ts'

/** The storage that the settings name. The data directory must be locked by the caller if it is the embedded one. */
export async function openStorage(settings: Settings, dataDirectory: string, log: Log): Promise<Storage> {
  return settings.databaseUrl === undefined
    ? await openEmbedded(dataDirectory, log)
    : await openPostgresStorage(settings.databaseUrl)
}

export const openEmbedded = (dataDirectory: string, log: Log): Promise<Storage> =>
  openEmbeddedStorage({
    directory: join(dataDirectory, 'database'),
    isDurable: true,
    report: (fault, what) => log.warn(fault === undefined ? {} : { err: fault }, what),
  })

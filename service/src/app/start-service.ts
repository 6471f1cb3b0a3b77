import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SetupCodeRenewal } from '../accounts/workspaces/workspaces.ts'
import { checkAddress } from '../platform/http/check-address.ts'
import { createLog, type Log } from '../platform/log/log.ts'
import { openDatabaseClock } from '../platform/storage/database-clock.ts'
import { lockDirectory } from '../platform/storage/embedded/directory-lock.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { composeService } from './compose.ts'
import type { Rooms } from './compose-rooms.ts'
import { readNamedFolders } from './named-folders.ts'
import { openStorage } from './open-storage.ts'
import type { Settings } from './settings.ts'
import { REAL_SURROUNDINGS, type Surroundings } from './surroundings.ts'

/** Holds an access token of the owner, for commands on this machine; readable by nobody else. */
export const OPERATOR_TOKEN_FILE = 'operator-token'

export interface RunningService {
  /** What it is made of: tests give the rooms what nobody can send them. */
  rooms: Rooms
  /** Where it listens, or undefined when it does not. */
  address: string | undefined
  /** Answers a request without a network in between. */
  fetch(request: Request): Promise<Response>
  operatorToken: string
  /** A link that opens the dashboard as the owner, once, within an hour; undefined if they have a way of their own to sign in. */
  setupLink: string | undefined
  /** What whoever starts it should know: a model that did not load, say. */
  notices: string[]
  close(): Promise<void>
}

export interface ServiceParts {
  /** Opens the port of the settings. */
  listens: boolean
  /** Takes work from the queue: syncs, schedules. */
  works: boolean
  /**
   * Whether sources may also read the folders that were named on the command line: where the person at the keyboard
   * runs it. A service for others reads what its settings list.
   */
  readsNamedFolders?: boolean
  /**
   * Whether there is another set-up link after one was used, until the owner has a password: only where whoever starts the service reads
   * what it prints, as logs are kept, and read by others.
   */
  repeatsSetupLink?: boolean
  /** Whether the widget and the dashboard are built now if they have to be; else the first request for them waits. */
  preparesPages?: boolean
  /** An open storage instead of that of the settings: it is closed with the service, and holds no lock on the data directory. */
  storage?: Storage
  log?: Log | undefined
  /** Parts of what the service takes from outside, replaced for tests. */
  surroundings?: Partial<Surroundings>
}

/** How long answers that are being written may go on when the service is asked to stop. */
const DRAIN_MILLISECONDS = 30_000

/** How long everything else may take to end, after the answers: work is taken up again at the next start. */
const CLOSING_MILLISECONDS = 10_000

/** Opens the storage, composes the rooms, and starts what was asked for. Everything is closed again if a part fails. */
export async function startService(settings: Settings, parts: ServiceParts): Promise<RunningService> {
  const dataDirectory = resolve(settings.dataDirectory)
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const closers: (() => Promise<void> | void)[] = []
  const log = parts.log ?? createLog(settings.logLevel)
  let stopListening: (() => Promise<void>) | undefined
  const closeAll = async () => {
    for (const closer of closers.splice(0).toReversed()) {
      // What follows is closed whatever became of this: a storage that does not answer must not keep the directory.
      try {
        await closer()
      } catch (error) {
        log.warn({ err: error }, 'a part of the service did not end well')
      }
    }
  }
  const close = async () => {
    await stopListening?.()
    const patience = sleep(CLOSING_MILLISECONDS, undefined, { ref: false })
    await Promise.race([closeAll(), patience])
  }
  try {
    const isEmbedded = settings.databaseUrl === undefined && parts.storage === undefined
    const lock = isEmbedded ? lockDirectory(dataDirectory) : undefined
    if (lock !== undefined) closers.push(() => lock.release())
    const storage = await storageOf(settings, parts, { dataDirectory, log })
    closers.push(() => storage.close())
    const surroundings = { ...REAL_SURROUNDINGS, ...parts.surroundings }
    const clock = await openDatabaseClock({
      storage,
      ownNow: surroundings.now,
      onFailed: (error) => log.warn({ err: error }, 'the clock of the database could not be read'),
    })
    closers.push(() => clock.stop())
    const service = await composeService({
      settings,
      dataDirectory,
      storage,
      log,
      namedFolders: () => (parts.readsNamedFolders === true ? readNamedFolders(dataDirectory) : []),
      surroundings: { ...surroundings, now: clock.now },
    })
    closers.push(() => service.close())
    await service.sealStoredCredentials()
    const { setupCode } = await service.bootstrap(setupRenewalOf(parts))
    const operatorToken = await operatorTokenOf(dataDirectory, service.operatorToken)
    await service.startJobs(parts.works)
    const listening = parts.listens
      ? await service.listen({ preparesPages: parts.preparesPages === true })
      : undefined
    if (listening !== undefined) {
      stopListening = () => listening.stop(DRAIN_MILLISECONDS)
      lock?.announce(listening.address)
    }
    const publicUrl = settings.publicUrl ?? listening?.address
    return {
      rooms: service.rooms,
      address: listening?.address,
      fetch: (request) => service.fetch(request),
      operatorToken,
      setupLink:
        setupCode === undefined || publicUrl === undefined
          ? undefined
          : `${publicUrl}/setup?code=${setupCode}`,
      notices: service.notices,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the storage where the service can listen: opening takes seconds the first time, and leaves a database. */
async function storageOf(
  settings: Settings,
  { listens, storage }: ServiceParts,
  { dataDirectory, log }: { dataDirectory: string; log: Log },
): Promise<Storage> {
  if (listens) await checkAddress(settings.host, settings.port)
  return storage ?? (await openStorage(settings, dataDirectory, log))
}

/** A process that prints no link must not end that of another. */
function setupRenewalOf({ listens, repeatsSetupLink }: ServiceParts): SetupCodeRenewal {
  if (!listens) return 'never'
  return repeatsSetupLink === true ? 'always' : 'until-used'
}

/** The token of this directory, as long as the storage still knows it; else a new one. */
async function operatorTokenOf(
  dataDirectory: string,
  validOrNew: (known: string | undefined) => Promise<string>,
): Promise<string> {
  const file = join(dataDirectory, OPERATOR_TOKEN_FILE)
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  const token = await validOrNew(known)
  if (token === known) return token
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, `${token}\n`, { mode: 0o600 })
  renameSync(temporary, file)
  return token
}
